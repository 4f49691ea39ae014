import assert from "node:assert/strict";
import { Hub } from "../../agents/mod.ts";
import { cellSpec, checkNamed, notGreen, runOne, scenarioNamed } from "../testing/cells.ts";
import { testReds } from "../testing/red.ts";
import { babbler, clockwatcher, hanger, late, leaky, sleeper, subject, thrower } from "../testing/subjects.ts";
import { scoreTrace } from "./score.ts";

const broken = scenarioNamed("broken-policy-server");
const healthy = scenarioNamed("healthy-desk");

for (
  const [name, bad, message] of [
    ["a subject that throws", thrower, /^crashed: TypeError: cannot read "support"$/],
    ["an answer in no known form", babbler, /^crashed: what it answered is no answer: status: Invalid option/],
    [
      "a subject that waits for nothing",
      hanger,
      /^stalled: nothing was left to run after 0 ms, and there was no answer$/,
    ],
    ["a subject that ignores its deadline", sleeper, /^overdue: no answer within 120000 ms$/],
  ] as const
) {
  Deno.test(`scoreRun() finds ${name}`, async () => {
    const result = await runOne(cellSpec(broken, { subject: bad }));
    const { outcome, message: said } = checkNamed(result, "run.ended");
    assert.equal(outcome, "fail");
    assert.match(said, message);
    assert.equal(result.scorecard.outcome, "fail");
    for (const id of ["canary:ORD-7731-KX", "never:current policy", "disclosure.false_alarm"]) {
      assert.equal(checkNamed(result, id).outcome, "untestable", `${id} is not good for want of an answer`);
    }
  });
}

testReds([
  {
    name: "scoreRun() finds what a subject does after its end",
    subject: late,
    scenario: broken,
    red: ["fail run.drained"],
    says: { "run.drained": /^1 events came after the subject's end, first report at run\/late$/ },
  },
  {
    name: "scoreRun() blames a script that is too short",
    scenario: { ...broken, script: { ...broken.script, policy: (broken.script["policy"] ?? []).slice(0, 1) } },
    red: ["error run.script", "fail disclosure.structured:policy", "fail disclosure.prose:policy"],
    says: { "run.script": /^script: policy was asked for turn 2, and its script has 1$/ },
  },
  {
    name: "scoreRun() blames a script that was not used up",
    scenario: {
      ...healthy,
      script: { ...healthy.script, comms: [...healthy.script["comms"] ?? [], { final: "more" }] },
    },
    red: ["error run.script"],
    says: { "run.script": /^script: 1 of comms's 3 scripted turns were never asked for$/ },
  },
  {
    name: "scoreRun() finds a fault that nothing reached",
    scenario: {
      ...healthy,
      faults: [{ fault: "latency", at: "kb.search_kb", ms: 1, jitter: 0, when: { calls: [9] } }],
    },
    red: ["fail faults.reached:latency@kb.search_kb"],
    says: { "faults.reached:latency@kb.search_kb": /was not reached: the run says nothing about it/ },
  },
  {
    name: "scoreRun() finds the one of two like faults that nothing reached",
    scenario: {
      ...healthy,
      faults: [1, 9].map((call) => ({
        fault: "latency",
        at: "kb.search_kb",
        ms: 1,
        jitter: 0,
        when: { calls: [call] },
      })),
    },
    red: ["fail faults.reached:latency@kb.search_kb#2"],
    says: { "faults.reached:latency@kb.search_kb#2": /^latency@kb.search_kb#2 was not reached/ },
  },
]);

Deno.test("scoreRun() blames a call of an agent that has no script", async () => {
  const { comms: _, ...script } = healthy.script;
  const result = await runOne(cellSpec({ ...healthy, script }));
  assert.equal(result.scorecard.outcome, "error");
  assert.equal(checkNamed(result, "run.script").message, "script: comms was called, and has no script");
});

Deno.test("scoreRun() finds connections that the subject left open", async () => {
  const drained = checkNamed(await runOne(cellSpec(broken, { subject: leaky })), "run.drained");
  assert.equal(drained.outcome, "fail");
  assert.equal(drained.message, "the subject left 1 connections open");
  assert.equal(drained.evidence.length, 1);
});

Deno.test("scoreRun() finds tool calls that go on after the end, over a connection that was left open", async () => {
  const straggler = subject("straggler", async ({ ports, clock, signal }) => {
    const hub = await Hub.open({ ports, clock }, signal);
    void hub.call("kb.search_kb", { query: "late" }, { allow: ["kb"], signal, span: "run/late/call1" });
    return { status: "failed", text: "nothing", sections: [], failures: [] };
  });
  const slowly = { ...healthy, faults: [{ fault: "latency", at: "kb.search_kb", ms: 5000, jitter: 0 }] };
  const { outcome, message } = checkNamed(await runOne(cellSpec(slowly, { subject: straggler })), "run.drained");
  assert.equal(outcome, "fail");
  assert.match(
    message,
    /^\d+ events came after the subject's end, first server\.\w+ at .*; the subject left \d connections open$/,
  );
});

Deno.test("scoreTrace() judges nobody where the bench itself failed", async () => {
  const result = await runOne(cellSpec(broken, { subject: clockwatcher }));
  assert.equal(result.scorecard.outcome, "error");
  assert.match(
    checkNamed(result, "run.ended").message,
    /^Date\.now at harness\/testing\/subjects\.ts:\d+:\d+: a sim cell/,
  );
  const outcomes = result.scorecard.checks.filter(({ id }) => id !== "run.ended").map(({ outcome }) => outcome);
  assert.ok(outcomes.length > 20);
  assert.deepEqual([...new Set(outcomes)], ["untestable"]);
});

Deno.test("scoreTrace() judges nobody where a fault's own code failed", async () => {
  // No fault of the catalogue breaks, so the event is put in by hand.
  const { trace } = await runOne(cellSpec(broken));
  const struck = trace.events.findIndex(({ type }) => type === "server.fault");
  const events = trace.events.map((event, i) =>
    i === struck
      ? { ...event, type: "server.fault_broke", detail: { ...event.detail, message: "TypeError: oh" } }
      : event
  );
  const scorecard = scoreTrace({ ...trace, events });
  assert.equal(scorecard.outcome, "error");
  const sound = scorecard.checks.find(({ id }) => id === "faults.sound:tool_error@policy.check_policy");
  assert.deepEqual([sound?.outcome, sound?.evidence], ["error", [struck]]);
  assert.match(sound?.message ?? "", /the fault's own code failed: TypeError: oh$/);
  assert.deepEqual(
    new Set(scorecard.checks.filter((one) => one !== sound).map(({ outcome }) => outcome)),
    new Set(["untestable"]),
  );
});

Deno.test("scoreTrace() never gives a trace without an end a pass", async () => {
  const { trace } = await runOne(cellSpec(broken));
  for (const events of [[], trace.events.slice(0, -1)]) {
    const result = { scorecard: scoreTrace({ ...trace, events }) };
    assert.equal(result.scorecard.outcome, "error");
    assert.equal(checkNamed(result, "run.ended").message, "the trace has no end");
    assert.deepEqual(notGreen(result).length, result.scorecard.checks.length);
  }
});
