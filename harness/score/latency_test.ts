import assert from "node:assert/strict";
import { cellSpec, runOne, scenarioNamed } from "../testing/cells.ts";
import { testReds } from "../testing/red.ts";
import { slow, telling } from "../testing/subjects.ts";
import { makespan, scoreLatency } from "./latency.ts";
import { viewTrace } from "./view.ts";

testReds([
  {
    name: "scoreLatency() finds 7 ms too much",
    subject: slow,
    scenario: "broken-policy-server",
    red: ["fail latency.makespan"],
    says: { "latency.makespan": /^took 507 ms, expected 500 ms$/ },
  },
  {
    name: "scoreLatency() does not take the subject's word for its end",
    subject: telling("backdater", (_type, detail) => detail, {
      ...slow,
      run: (world) => {
        world.emit("run.settled", "run", {});
        return slow.run(world);
      },
    }),
    scenario: "broken-policy-server",
    red: ["fail latency.makespan"],
    says: { "latency.makespan": /^took 507 ms/ },
  },
]);

Deno.test("scoreLatency() has no check in wire, and none where the scenario expects nothing", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  assert.equal(scoreLatency(viewTrace(trace)).length, 1);
  assert.deepEqual(scoreLatency(viewTrace({ ...trace, cell: { ...trace.cell, lane: "wire" } })), []);
  const { makespan: _, ...expect } = scenarioNamed("broken-policy-server").expect;
  assert.deepEqual(scoreLatency(viewTrace({ ...trace, scenario: { ...trace.scenario, expect } })), []);
});

Deno.test("makespan() is undefined for a run that never began", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  assert.equal(
    makespan({ trace: { ...trace, events: trace.events.filter(({ type }) => type !== "run.start") } }),
    undefined,
  );
});
