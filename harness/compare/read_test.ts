import assert from "node:assert/strict";
import { renderJson } from "../report/json.ts";
import { makeReport } from "../report/report.ts";
import { brokenPolicy, sketch } from "../report/testing.ts";
import { readReport } from "./read.ts";

const CELL = {
  scenario: "s",
  variant: null,
  lane: "sim",
  subject: "reference",
  model: "scripted",
  seed: "0",
  repeat: 1,
};

function problemsOf(value: unknown): readonly string[] {
  const read = readReport(typeof value === "string" ? value : JSON.stringify(value), "out.json");
  return read.ok ? [] : read.problems;
}

function withCell(more: object): unknown {
  return { schema: 1, cells: [{ cell: CELL, outcome: "pass", checks: [], ...more }] };
}

Deno.test("readReport() reads what bench run writes", () => {
  const report = makeReport([brokenPolicy(), sketch({ cell: { lane: "wire", repeat: 2 } })]);
  const read = readReport(renderJson(report), "out.json");
  assert.ok(read.ok, JSON.stringify(read));
  assert.deepEqual(
    read.cells.map(({ id, outcome }) => [id, outcome]),
    report.cells.map(({ id, outcome }) => [id, outcome]),
  );
  assert.deepEqual([...read.cells[0]?.checks ?? []], [["run.ended", "pass"]]);
});

Deno.test("readReport() reads scores, and holds null for null", () => {
  const scores = [{ id: "plan", value: 0.5, unit: "ratio", components: [], message: "", evidence: [] }, {
    id: "latency",
    value: null,
    unit: "stretch",
  }];
  const read = readReport(JSON.stringify(withCell({ scores })), "out.json");
  assert.ok(read.ok);
  assert.deepEqual([...read.cells[0]?.scores ?? []], [["plan", { value: 0.5, unit: "ratio" }], [
    "latency",
    { value: null, unit: "stretch" },
  ]]);
});

Deno.test("readReport() says of what is no report that it is none, and of another version which", () => {
  assert.match(
    problemsOf("# Brownout").join(),
    /^out\.json: is no JSON \(.*\); give a report that bench run -o FILE\.json wrote$/,
  );
  for (const value of [[], null, { cells: [] }, { schema: 1 }]) {
    assert.match(problemsOf(value).join(), /^out\.json: is no report: it has no schema and cells/);
  }
  assert.deepEqual(problemsOf({ schema: 2, cells: [] }), [
    "out.json: schema: it is a report of version 2, and this bench reads version 1; compare it with the bench that wrote " +
    "it, or run it again",
  ]);
});

Deno.test("readReport() names the place of each mistake, and what is allowed", () => {
  assert.deepEqual(problemsOf(withCell({ outcome: "passd" })), [
    'out.json: cells[0]: "outcome": unknown value "passd" (did you mean "pass"?); allowed: pass, fail, error, untestable',
  ]);
  assert.match(
    problemsOf(withCell({ cell: { ...CELL, lane: "simm", sede: "0" } })).join("\n"),
    /^out\.json: cells\[0\]\.cell: "lane": unknown value "simm" \(did you mean "sim"\?\)[^\n]*\nout\.json: cells\[0\]\.cell: unknown key "sede" \(did you mean "seed"\?\)/,
  );
  assert.match(
    problemsOf(withCell({ cell: { ...CELL, repeat: 0 } })).join(),
    /cells\[0\]\.cell: "repeat": must be at least 1/,
  );
  assert.match(
    problemsOf(withCell({ scores: [{ id: "verdict", value: 1, unit: "ratio" }] })).join(),
    /scores\[0\]: "id": .*not verdict/,
  );
});

Deno.test("readReport() takes no cell twice", () => {
  const [cell] = [{ cell: CELL, outcome: "pass", checks: [] }];
  assert.deepEqual(problemsOf({ schema: 1, cells: [cell, cell] }), [
    "out.json: cells[1]: s@sim stands there already, as cells[0]; keep one",
  ]);
});

Deno.test("readReport() tells at most twenty mistakes, on one printable line each", () => {
  const cells = Array.from(
    { length: 50 },
    () => ({ cell: { ...CELL, lane: "\u001b[31m\n" }, outcome: "pass", checks: [] }),
  );
  const problems = problemsOf({ schema: 1, cells });
  assert.equal(problems.length, 20);
  // deno-lint-ignore no-control-regex -- looking for control characters is what it is for
  assert.doesNotMatch(problems.join(""), /[\u0000-\u001f]/);
});
