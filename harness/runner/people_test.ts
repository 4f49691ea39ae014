import assert from "node:assert/strict";
import { bindingOf } from "../../agents/gate/mod.ts";
import { Redactor, VirtualClock } from "../../core/mod.ts";
import { OperatorScript, UserScript } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/mod.ts";
import { TraceRecorder } from "../trace/recorder.ts";
import { scriptedPeople } from "./people.ts";

const CELL = {
  scenario: "x",
  variant: null,
  lane: "sim",
  subject: "s",
  model: "scripted",
  seed: "0",
  repeat: 1,
} as const;
const { signal } = new AbortController();

function people(script: Pick<Scenario, "operator" | "user" | "playback">, clock = new VirtualClock()) {
  const recorder = new TraceRecorder(CELL, () => clock.now(), new Redactor(new Map()));
  return { clock, recorder, ...scriptedPeople(script, { clock, recorder }) };
}

const asked = (callId: string, args = { amount: 1 }) => ({
  ...{ callId, worker: "cashier", tool: "refunds.issue_refund", args, reasons: ["ask"] },
  binding: bindingOf(callId, "refunds.issue_refund", args),
});
const APPROVE = { tool: "refunds.issue_refund", decision: "approve" };

Deno.test("scriptedPeople() are nobody where the scenario has nobody", () => {
  const { operator, user, problems } = people({});
  assert.deepEqual([operator, user, problems()], [undefined, undefined, []]);
});

Deno.test("the scripted operator decides call by call in the scenario's order, on the cell's clock", async () => {
  const script = OperatorScript.parse({
    approvals: [{ ...APPROVE, takes: 700 }, { ...APPROVE, decision: "deny", because: "enough" }],
  });
  const { clock, operator, recorder, problems } = people({ operator: script });
  const decisions = await clock.run(async () => [
    await operator?.approve(asked("run/a/call1"), signal),
    clock.now(),
    await operator?.approve(asked("run/a/call2"), signal),
  ]);
  assert.deepEqual(decisions, [
    { decision: "approve", binding: asked("run/a/call1").binding },
    700,
    { decision: "deny", because: "enough", binding: asked("run/a/call2").binding },
  ]);
  assert.deepEqual(recorder.events.map(({ type, span, outcome }) => [type, span, outcome ?? null]), [
    ["operator.request", "run/a/call1", null],
    ["operator.decision", "run/a/call1", "approve"],
    ["operator.request", "run/a/call2", null],
    ["operator.decision", "run/a/call2", "deny"],
  ]);
  assert.deepEqual(problems(), []);
});

Deno.test("the scripted operator binds a decision to what was seen, and not to what would be sent", async () => {
  const script = OperatorScript.parse({ approvals: [{ ...APPROVE, seen: { amount: 5 } }] });
  const { operator } = people({ operator: script });
  const decision = await operator?.approve(asked("run/a/call1"), signal);
  assert.equal(decision?.binding, asked("run/a/call1", { amount: 5 }).binding);
  assert.notEqual(decision?.binding, asked("run/a/call1").binding);
});

Deno.test("scripted people deny, decline and keep silent where nobody foresaw the question, and say so", async () => {
  const operator = OperatorScript.parse({ approvals: [APPROVE], takeovers: { billing: null, comms: "By hand." } });
  const user = UserScript.parse({ answers: { billing: ["12345", "no"] } });
  const made = people({ operator, user });
  const escalation = (worker: string) => ({
    ...{ packetId: worker, worker, objective: "x" },
    failure: { code: "timeout", detail: "late", retryable: true } as const,
  });
  await made.operator?.approve(asked("run/a/call1"), signal);
  const extra = await made.operator?.approve(asked("run/a/call2"), signal);
  assert.deepEqual([extra?.decision, extra?.because], ["deny", "nobody has decided this"]);
  assert.equal(await made.operator?.takeOver(escalation("billing"), signal), undefined);
  assert.equal(await made.operator?.takeOver(escalation("policy"), signal), undefined);
  const question = { packetId: "billing", worker: "billing", question: "Which order?" };
  assert.equal(await made.user?.answer(question, signal), "12345");
  assert.equal(await made.user?.answer({ ...question, worker: "comms" }, signal), undefined);
  assert.deepEqual(made.problems().map(({ kind, agent, what, turns, played }) => [kind, agent, what, turns, played]), [
    ["exhausted", "operator", "approval of refunds.issue_refund", 1, 1],
    ["unscripted", "operator", "takeover from policy", 0, 0],
    ["unconsumed", "operator", "takeover from comms", 1, 0],
    ["unscripted", "user", "answer to comms", 0, 0],
    ["unconsumed", "user", "answer to billing", 2, 1],
  ]);
});

Deno.test("scripted people of a lenient cell repeat their last word, and may have words left", async () => {
  const operator = OperatorScript.parse({ approvals: [APPROVE], takeovers: { comms: "By hand." } });
  const made = people({ operator, playback: "lenient" });
  await made.operator?.approve(asked("run/a/call1"), signal);
  assert.equal((await made.operator?.approve(asked("run/a/call2"), signal))?.decision, "approve");
  assert.deepEqual(made.problems(), []);
});

Deno.test("scripted people say the same once more to whoever was killed and asks the same again", async () => {
  const { operator, user, resume, problems, recorder } = people({
    operator: OperatorScript.parse({ approvals: [APPROVE, { ...APPROVE, decision: "deny" }] }),
    user: UserScript.parse({ answers: { billing: ["12345", "none"] } }),
  });
  const question = { packetId: "b", worker: "billing", question: "Which order?" };
  const decide = async (callId: string) => (await operator?.approve(asked(callId), signal))?.decision;
  assert.deepEqual([await decide("run/c1"), await user?.answer(question, signal)], ["approve", "12345"]);
  resume();
  assert.deepEqual([await decide("run/c1"), await user?.answer(question, signal)], ["approve", "12345"]);
  assert.equal(await decide("run/c2"), "deny", "another call gets what comes next");
  assert.equal(await user?.answer(question, signal), "none", "asked twice in one life, the question is another one");
  assert.deepEqual(problems(), []);
  assert.equal(recorder.events.filter(({ type }) => type === "operator.decision").length, 3, "each was really asked");
});
