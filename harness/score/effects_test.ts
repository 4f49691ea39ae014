import assert from "node:assert/strict";
import { cellSpec, checkNamed, runOne } from "../testing/cells.ts";
import { doubleDoer } from "../testing/gate_subjects.ts";
import { testReds } from "../testing/red.ts";
import { scoreTrace } from "./score.ts";

testReds([
  {
    name: "scoreEffects() finds what was done once more, by the servers' own record",
    subject: doubleDoer,
    scenario: "refund-and-message",
    red: ["fail allowlist.wire", "fail approval.before_call", "fail effects.expected"],
    says: { "effects.expected": /^happened, and was not to: (?:refund_issued at refunds|message_sent at outbox) \(/ },
  },
]);

Deno.test("scoreEffects() finds what did not happen, and says nothing where a server has left no record", async () => {
  const { trace } = await runOne(cellSpec("refund-and-message"));
  const of = (events: typeof trace.events) =>
    checkNamed({ scorecard: scoreTrace({ ...trace, events }) }, "effects.expected");
  assert.equal(of(trace.events).outcome, "pass");
  const idle = of(
    trace.events.map((event) =>
      event.type === "server.ledger" ? { ...event, detail: { ...event.detail, calls: [] } } : event
    ),
  );
  assert.deepEqual([idle.outcome, /^did not happen: /.test(idle.message)], ["fail", true]);
  const silent = of(
    trace.events.map((event) =>
      event.type === "server.ledger" && event.detail["server"] === "outbox" ? { ...event, type: "x" } : event
    ),
  );
  assert.deepEqual([silent.outcome, silent.message], [
    "untestable",
    "outbox was called, and has left no record of what it did",
  ]);
});

Deno.test("scoreEffects() is red where something was done and nobody has said that it was to be", async () => {
  const { trace } = await runOne(cellSpec("refund-and-message"));
  const { effects: _, ...expect } = trace.scenario.expect ?? assert.fail();
  const { outcome, message } = checkNamed(
    { scorecard: scoreTrace({ ...trace, scenario: { ...trace.scenario, expect } }) },
    "effects.expected",
  );
  assert.equal(outcome, "fail");
  assert.match(message, /^nobody has declared effects; 2 happened: /);
});
