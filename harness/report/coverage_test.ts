import assert from "node:assert/strict";
import { cellSpec, notGreen, runOne, scenarioNamed } from "../testing/cells.ts";
import { coverageLines, coverageOf } from "./coverage.ts";
import { renderJson } from "./json.ts";
import { draw } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { makeReport } from "./report.ts";
import { sketch } from "./testing.ts";

const healthy = scenarioNamed("healthy-desk");

// The model of comms gives up before kb is called, so of the two cells with latency one is struck.
Deno.test("coverageOf() counts the cells that have a fault and those in which it struck, by crew and phase", async () => {
  const scenario = {
    ...healthy,
    faults: [
      { fault: "model_overloaded", at: "agent:comms" },
      { fault: "latency", at: "kb", ms: 1, jitter: 0 },
      { fault: "latency", at: "policy", ms: 1, jitter: 0, when: { calls: [9] } },
      { fault: "server_down", at: "orders", reason: "gone" },
      { fault: "tool_error", at: "policy", message: "no", when: { calls: [9] } },
    ],
    playback: "lenient" as const,
  };
  const results = [await runOne(cellSpec(scenario)), await runOne(cellSpec("slow-policy-server"))];
  const row = (fault: string, layer: string, phase: string, declared: number, fired: number) => ({
    ...{ fault, layer, crew: "support", phase, declared, fired },
  });
  assert.deepEqual(coverageOf(results.map(({ trace }) => trace)), [
    row("server_down", "transport", "connect", 1, 1),
    row("latency", "transport", "call", 2, 1),
    row("tool_error", "result", "call", 1, 0),
    row("model_overloaded", "model_api", "model", 1, 1),
  ]);
  assert.ok(notGreen(results[0] ?? assert.fail()).includes("fail faults.reached:tool_error@policy"));
});

Deno.test("a report has the coverage as JSON, as a table in Markdown, and on a terminal in one sentence", () => {
  const faults = ["latency", "server_down", "bad_frame", "stale", "tool_error", "model_hang", "nosuch"];
  const at = (fault: string) => fault.startsWith("model") ? "agent:comms" : "kb";
  const cells = [
    sketch({
      faults: faults.filter((fault) => fault !== "nosuch").map((fault) => ({ fault, at: at(fault) })),
      events: [[1, "server.fault", "run/servers/kb", { fault: "latency", at: "kb" }], [
        2,
        "model.fault",
        "run/s2/comms/step1",
        { fault: "model_hang", at: "agent:comms" },
      ]],
    }),
  ];
  const report = makeReport(cells);
  assert.deepEqual(
    JSON.parse(renderJson(report)).coverage.map(({ fault, fired }: Record<string, unknown>) => [fault, fired]),
    [["server_down", 0], ["latency", 1], ["bad_frame", 0], ["tool_error", 0], ["stale", 0], ["model_hang", 1]],
  );
  const markdown = renderMarkdown(report);
  assert.match(markdown, /\| layer \| fault \| crew \| connect \| call \| model \|\n/);
  assert.match(markdown, /\| `transport` \| `latency` \| `support` \| {2}\| 1 of 1 \| {2}\|\n/);
  assert.match(markdown, /\| `semantic` \| `stale` \| `support` \| {2}\| \*\*0 of 1\*\* \| {2}\|\n/);
  const screen = { columns: 100, colour: false };
  const lines = (rows: typeof report.coverage) => coverageLines(rows, 100).map((line) => draw(line, screen));
  assert.deepEqual(lines(report.coverage), []);
  const [first] = report.coverage;
  assert.ok(first);
  assert.deepEqual(lines([...report.coverage, { ...first, fault: "crash", phase: "call", fired: 1 }]), [
    "faults  3 of 7 faults struck: call 2, model 1; the table is in the report",
  ]);
});

Deno.test("coverageOf() takes a fault that nobody knows for what it is", () => {
  const { trace } = sketch();
  const stranger = { ...trace, scenario: { ...trace.scenario, faults: [{ fault: "toString", at: "kb" }] } };
  assert.deepEqual(coverageOf([stranger]), [
    { fault: "toString", layer: "unknown", crew: "support", phase: "unknown", declared: 1, fired: 0 },
  ]);
});
