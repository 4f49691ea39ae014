/** A planted secret is in no artifact. */
import assert from "node:assert/strict";
import { simLane } from "../lanes/sim.ts";
import { renderJson } from "../report/json.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { makeReport } from "../report/report.ts";
import { renderTerminal } from "../report/terminal.ts";
import { runCells } from "../runner/run.ts";
import { cellSpec, scenarioNamed } from "../testing/cells.ts";
import { asking } from "../testing/subjects.ts";
import { writeTrace } from "../trace/jsonl.ts";

const SECRET = 'pg://desk:"Tr0ub4dor"@10.0.0.7/?key=a/b+c==';

/** The secret in whatever form: a part that no form changes is enough to give it away. */
const TRACES = ["Tr0ub4dor", SECRET, JSON.stringify(SECRET), encodeURIComponent(SECRET), btoa(SECRET).slice(4, 20)];

Deno.test("a secret in a server's error text is in no trace and no report", async () => {
  const broken = scenarioNamed("broken-policy-server");
  const scenario = {
    ...broken,
    secrets: { dsn: SECRET },
    story: `${broken.story} (${SECRET})`,
    faults: [{
      fault: "tool_error",
      at: "policy.check_policy",
      message: `cannot connect to ${SECRET} (${btoa(SECRET)}, ${encodeURIComponent(SECRET)}, ${
        JSON.stringify({ dsn: SECRET })
      })`,
    }],
  };
  const babbling = asking("babbling", (request) => ({ ...request, system: `${request.system} ${SECRET}` }));
  const specs = [cellSpec(scenario), cellSpec(scenario, { subject: babbling })];
  const results = await runCells(specs, { jobs: 1, openLane: () => simLane() });
  const report = makeReport(results);
  const artifacts = {
    trace: results.map(({ trace }) => writeTrace(trace)).join(""),
    json: renderJson(report),
    markdown: renderMarkdown(report),
    terminal: renderTerminal(report, results, {
      columns: 10_000,
      colour: false,
      timeline: "all",
      files: [],
      elapsedMs: 1,
    }),
  };
  for (const [name, text] of Object.entries(artifacts)) {
    for (const form of TRACES) assert.ok(!text.includes(form), `${name} has ${form}`);
  }
  assert.match(artifacts.trace, /cannot connect to \[secret:dsn\]/, "the error did go by");
  assert.match(artifacts.json, /cannot connect to \[secret:dsn\]/);
  assert.deepEqual(results.map(({ scorecard }) => scorecard.outcome), ["pass", "pass"]);
});
