import assert from "node:assert/strict";
import { makeReport } from "./report.ts";
import { rowName, scenarioRows, shortId, shortModel } from "./rows.ts";
import { renderTerminal } from "./terminal.ts";
import { sketch } from "./testing.ts";

const MANY = ["billing", "planner", "policy"].map((agent) => `${agent}=anthropic:claude-of-some-date`).join("+") +
  "+scripted";

Deno.test("shortModel() leaves one model alone, and says of several the first and how many more", () => {
  assert.equal(shortModel("anthropic:claude-x"), "anthropic:claude-x");
  assert.equal(shortModel("planner=openai:a+scripted"), "planner=openai:a+scripted");
  assert.match(shortModel(MANY), /^billing=anthropic:claude-of-some-date\+3-more-[0-9a-f]{6}$/);
  assert.notEqual(shortModel(MANY), shortModel(MANY.replace("planner=anthropic", "planner=openai")));
});

Deno.test("rows and findings have the short name, and a report the whole one", () => {
  const fail = { id: "answer.status", outcome: "fail", message: "it is not", evidence: [] } as const;
  const result = sketch({ cell: { scenario: "x", model: MANY }, checks: [fail] });
  const report = makeReport([result]);
  const [{ id, cell } = assert.fail()] = report.cells;
  assert.equal(cell.model, MANY);
  assert.equal(shortId(id), `x@sim,model=${shortModel(MANY)}`);
  assert.equal(shortId("x@sim,subject=a"), "x@sim,subject=a");
  assert.equal(scenarioRows(report)[0]?.name, `x,model=${shortModel(MANY)}`);
  assert.equal(rowName({ cell }), `x,model=${shortModel(MANY)}`);
  const text = renderTerminal(report, [result], { columns: 200, colour: false, timeline: "auto", files: [] });
  assert.doesNotMatch(text, /planner=/);
});
