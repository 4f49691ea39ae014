import assert from "node:assert/strict";
import { type Json, sleep, type VirtualClock } from "../../core/mod.ts";
import type { ApprovalRule } from "../crews/crew.ts";
import { failed } from "../hub/outcome.ts";
import type { ApprovalDecision, ApprovalRequest, Operator } from "../people.ts";
import { MemoryRunLog } from "../run_log.ts";
import { abortAt, sim } from "../testing.ts";
import { bindingOf } from "./binding.ts";
import { FakeHub, ok, rig } from "./testing.ts";

const LIMIT: ApprovalRule = { rule: "limit", tools: ["refunds.issue"], amount: "amount", max: 100 };
const TOTAL: ApprovalRule = { rule: "total", tools: ["refunds.issue"], amount: "amount", max: 200 };
const ASK: ApprovalRule = { rule: "ask", tools: ["outbox.send"] };

type Decide = (request: ApprovalRequest) => Partial<ApprovalDecision> | Promise<Partial<ApprovalDecision>>;

/** An operator who decides as a test says, of what was asked unless it says otherwise. */
function operatorOf(decide: Decide): { operator: Operator; asked: ApprovalRequest[] } {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    operator: {
      async approve(request) {
        asked.push(request);
        return { decision: "approve", binding: request.binding, ...await decide(request) };
      },
      takeOver: () => Promise.resolve(undefined),
    },
  };
}

const yes = () => operatorOf(() => ({}));
const test = (name: string, work: (clock: VirtualClock) => Promise<void>) => Deno.test(name, () => sim(work));

test("gated() makes a call within the rules, asks about one that is not, and tells both in order", async (clock) => {
  const { operator, asked } = operatorOf(({ args }) =>
    args["amount"] === 300 ? { decision: "deny", because: "no" } : {}
  );
  const { hub, call, events } = rig(clock, { approval: [LIMIT], operator });
  const codes = [];
  for (const amount of [90, 250, 300]) codes.push((await call("refunds.issue", { amount })).code);
  assert.deepEqual(codes, [undefined, undefined, "denied"]);
  assert.deepEqual(hub.sent.map(({ args }) => args["amount"]), [90, 250]);
  assert.deepEqual(asked.map(({ args, worker }) => [args["amount"], worker]), [[250, "cashier"], [300, "cashier"]]);
  assert.deepEqual(events("approval").map(({ decision, by, because }) => [decision, by, because]), [
    ["approved", "policy", "within the crew's rules"],
    ["approved", "operator", "approved"],
    ["denied", "operator", "no"],
  ]);
});

test("gated() tells the model what was denied, why, and that it must not try again", async (clock) => {
  const { call, hub } = rig(clock, { approval: [LIMIT] });
  const outcome = await call("refunds.issue", { amount: 250 });
  assert.deepEqual([outcome.kind, outcome.code, hub.sent.length], ["denied", "denied", 0]);
  assert.match(outcome.text, /refunds\.issue was not called: denied by nobody.*amount is 250.*Do not try it again/);
});

test("gated() asks nobody about what nobody may, what is not covered, and what does not exist", async (clock) => {
  const { operator, asked } = yes();
  const deny: ApprovalRule = { rule: "deny", tools: ["refunds."] };
  const { call, events, hub } = rig(clock, { approval: [deny, { rule: "ask", tools: ["outbox."] }], operator });
  assert.equal((await call("refunds.issue", { amount: 1 })).code, "denied");
  assert.equal((await call("files.put", {})).code, undefined);
  assert.equal((await call("outbox.drop", {})).kind, "unknown_tool");
  assert.match((await call("outbox.send", {}, { allow: ["refunds"] })).text, /not a tool of this worker/);
  assert.deepEqual([asked.length, hub.sent.length, events("approval").length], [0, 1, 1]);
});

const WRONG: readonly [what: string, decide: Decide][] = [
  ["other arguments", (r) => ({ binding: bindingOf(r.callId, r.tool, { ...r.args, amount: 1 }) })],
  ["another call", (r) => ({ binding: bindingOf("run/a/call9", r.tool, r.args) })],
  ["another tool", (r) => ({ binding: bindingOf(r.callId, "refunds.list", r.args) })],
  ["nothing", () => ({ binding: "" })],
  ["no word that is known", () => JSON.parse('{"decision":"yes"}')],
];

test("gated() takes a decision on anything else for a denial", async (clock) => {
  for (const [what, decide] of WRONG) {
    const { call, hub, events } = rig(clock, { approval: [LIMIT], operator: operatorOf(decide).operator });
    assert.equal((await call("refunds.issue", { amount: 250 })).code, "denied", what);
    assert.deepEqual([hub.sent.length, events("approval")[0]?.["by"]], [0, "operator"], what);
  }
});

test("gated() gives no call the decision of a sibling, though they differ by nothing but their ids", async (clock) => {
  const seen: string[] = [];
  // Always answers with the first decision that it made.
  const { operator } = operatorOf(({ binding }) => (seen.push(binding), { binding: seen[0] ?? "" }));
  const { call, hub } = rig(clock, { approval: [ASK], operator });
  const outcomes = await Promise.all([call("outbox.send", { to: "a" }), call("outbox.send", { to: "b" })]);
  assert.deepEqual(outcomes.map(({ code }) => code), [undefined, "denied"]);
  assert.equal(hub.sent.length, 1);
});

test("gated() uses a decision once, and for the arguments that it was made of", async (clock) => {
  const { operator, asked } = yes();
  const { call, hub, events } = rig(clock, { approval: [ASK], operator });
  const span = "run/a/call1";
  hub.deeds.push(failed("tool_error", "queue is full", { code: "rate_limited" }));
  assert.equal((await call("outbox.send", { to: "a" }, { span })).code, "rate_limited");
  assert.equal((await call("outbox.send", { to: "a" }, { span })).code, "denied");
  assert.equal((await call("outbox.send", { to: "b" }, { span })).code, "denied");
  assert.deepEqual([asked.length, hub.sent.length], [1, 1]);
  assert.deepEqual(events("approval").map(({ because }) => because), [
    "approved",
    "this call was decided on already, and a decision is good for one call",
    "this call id was decided on with other arguments",
  ]);
});

test("gated() sends what was reviewed, whoever changes the arguments meanwhile", async (clock) => {
  const args: { [key: string]: Json } = { to: "a", more: { cc: ["b"] } };
  const { operator } = operatorOf(async ({ args: shown }) => {
    args["to"] = "mallory";
    await sleep(clock, 10);
    assert.throws(() => Object.assign(shown, { to: "mallory" }), TypeError);
    return {};
  });
  const { call, hub } = rig(clock, { approval: [ASK], operator });
  await call("outbox.send", args);
  assert.deepEqual(hub.sent.map(({ args }) => args), [{ to: "a", more: { cc: ["b"] } }]);
});

test("gated() shows the operator the idempotency key that it will send", async (clock) => {
  const { operator, asked } = yes();
  const { call, hub } = rig(clock, { approval: [LIMIT], operator });
  await call("refunds.issue", { amount: 250 });
  await call("refunds.issue", { amount: 350, idempotency_key: "mine" });
  assert.deepEqual(asked.map(({ args }) => args), hub.sent.map(({ args }) => args));
  assert.match(String(hub.sent[0]?.args["idempotency_key"]), /^[0-9a-f]{32}$/);
  assert.equal(hub.sent[1]?.args["idempotency_key"], "mine");
});

test("gated() denies where the operator fails, and calls the call off with its caller", async (clock) => {
  const broken = operatorOf(() => Promise.reject(new Error("the line is dead")));
  const { call, hub, events } = rig(clock, { approval: [ASK], operator: broken.operator });
  assert.match((await call("outbox.send", {})).text, /nobody.*the line is dead/);
  const { operator } = operatorOf(() => new Promise(() => {}));
  const slow = rig(clock, { approval: [ASK, TOTAL], operator });
  const outcome = await slow.call("outbox.send", {}, { signal: abortAt(clock, 5) });
  assert.deepEqual([outcome.kind, outcome.code, clock.now()], ["aborted", "cancelled", 5]);
  assert.deepEqual([...events("approval"), ...slow.events("approval")].map(({ by }) => by), ["nobody", "nobody"]);
  assert.deepEqual([hub.sent.length, slow.hub.sent.length], [0, 0]);
});

test("gated() lets ten refunds of 90 pass by themselves only as far as the total goes, all at once too", async (clock) => {
  const ten = Array.from({ length: 10 }, (_, i) => ({ amount: 90, reason: String(i) }));
  const { call, hub } = rig(clock, { approval: [LIMIT, TOTAL] });
  await Promise.all(ten.map((args) => call("refunds.issue", args)));
  assert.equal(hub.sent.length, 2);
  const { operator } = operatorOf(async () => (await sleep(clock, 10), { decision: "deny" }));
  const asked = rig(clock, { approval: [LIMIT, TOTAL], operator });
  await Promise.all(ten.map((args) => asked.call("refunds.issue", args)));
  assert.equal(asked.hub.sent.length, 2);
});

test("gated() counts what waits for a decision, and no longer what was denied or never came to anything", async (clock) => {
  let say = (_: "approve" | "deny") => {};
  const decided = new Promise<Partial<ApprovalDecision>>((resolve) => say = (decision) => resolve({ decision }));
  const { operator } = operatorOf(({ args }) => args["amount"] === 150 ? decided : { decision: "deny" });
  const { call, hub } = rig(clock, { approval: [LIMIT, TOTAL], operator });
  const big = call("refunds.issue", { amount: 150 });
  assert.equal((await call("refunds.issue", { amount: 60, reason: "while it waits" })).code, "denied");
  say("deny");
  await big;
  hub.deeds.push(failed("tool_error", "too many", { code: "rate_limited" }), failed("timeout", "no answer"));
  assert.equal((await call("refunds.issue", { amount: 90, reason: "fails" })).code, "rate_limited");
  assert.equal((await call("refunds.issue", { amount: 90, reason: "may have" })).code, "outcome_unknown");
  hub.setDown("refunds");
  // Nothing was sent.
  assert.equal((await call("refunds.issue", { amount: 90, reason: "is down" })).code, "server_down");
  hub.setDown("refunds", false);
  assert.equal((await call("refunds.issue", { amount: 90, reason: "second" })).code, undefined);
  assert.equal((await call("refunds.issue", { amount: 90, reason: "third" })).code, "denied");
});

test("gated() goes on after a kill with what was decided before it, and asks nobody twice", async (clock) => {
  const log = new MemoryRunLog();
  const hub = new FakeHub();
  const before = rig(clock, { approval: [LIMIT, TOTAL, ASK], operator: yes().operator, log, hub });
  await before.call("refunds.issue", { amount: 90 }, { span: "s1" });
  await before.call("refunds.issue", { amount: 90, reason: "b" }, { span: "s2" });
  // Decided, and killed before it was sent.
  const args = { to: "a" };
  const at = { callId: "s3", tool: "outbox.send", args, binding: bindingOf("s3", "outbox.send", args), at: 0 };
  const decided = { entry: "decided", decision: "approved", by: "operator", because: "fine" };
  log.append("gate.approvals", { ...decided, ...at });
  const { operator, asked } = operatorOf(() => ({ decision: "deny" }));
  const after = rig(clock, { approval: [LIMIT, TOTAL, ASK], operator, log, hub });
  assert.equal((await after.call("outbox.send", args, { span: "s3" })).code, undefined, "goes on");
  assert.equal((await after.call("outbox.send", args, { span: "s3" })).text.includes("not made again"), true);
  assert.equal((await after.call("refunds.issue", { amount: 90 }, { span: "s1" })).code, undefined, "made before");
  assert.equal(
    (await after.call("refunds.issue", { amount: 90, reason: "x" }, { span: "s2" })).code,
    "denied",
    "drift",
  );
  assert.equal(asked.length, 0);
  assert.equal(
    (await after.call("refunds.issue", { amount: 90, reason: "c" }, { span: "s4" })).code,
    "denied",
    "total",
  );
  assert.equal(asked.length, 1);
  assert.deepEqual(hub.sent.map(({ span }) => span), ["s1", "s2", "s3"]);
});

test("gated() refuses arguments that are no JSON or have no end", async (clock) => {
  const deep: { [key: string]: Json } = {};
  let inner = deep;
  for (let i = 0; i < 300; i++) inner = inner["x"] = {};
  const { call, hub, events } = rig(clock, { approval: [LIMIT], operator: yes().operator });
  for (const args of [deep, { amount: NaN }]) assert.equal((await call("refunds.issue", args)).code, "denied");
  assert.deepEqual([hub.sent.length, events("approval").length], [0, 0]);
});

test("gated() is a hub like any other for what needs no gate", async (clock) => {
  const { call, hub, events } = rig(clock);
  hub.deeds.push(ok("rows"), failed("timeout", "no answer"));
  assert.equal((await call("refunds.list", {})).text, "rows");
  assert.equal((await call("refunds.list", {})).code, "timeout");
  assert.deepEqual([hub.sent.length, events("approval"), events("effect")], [2, [], []]);
});
