import assert from "node:assert/strict";
import { type Json, sleep, type VirtualClock } from "../../core/mod.ts";
import { type CallOutcome, OUTCOME_CODES, type OutcomeKind } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import { MemoryRunLog } from "../run_log.ts";
import { abortAt, sim } from "../testing.ts";
import { type EffectEnd, Effects } from "./effects.ts";
import { endOf } from "./effect_hub.ts";
import { FakeHub, ok, rig } from "./testing.ts";

const test = (name: string, work: (clock: VirtualClock) => Promise<void>) => Deno.test(name, () => sim(work));
const kinds = Object.keys(OUTCOME_CODES) as Exclude<OutcomeKind, "answered">[];
const LOST: readonly Exclude<OutcomeKind, "answered">[] = ["malformed", "timeout", "aborted", "closed"];
const ERRORS: readonly Exclude<OutcomeKind, "answered">[] = ["tool_error", "rpc_error"];

Deno.test("endOf() is sure that nothing was done only where nothing was sent, or a refusal has a code", () => {
  const unknown: readonly string[] = [...LOST, ...ERRORS];
  for (const kind of kinds) assert.equal(endOf(failed(kind, "x")), unknown.includes(kind) ? "unknown" : "failed", kind);
  assert.equal(endOf(ok()), "done");
  assert.equal(endOf({ ...ok(""), code: "empty_result" }), "unknown");
  assert.equal(endOf({ ...ok("{}"), code: "tool_error" }), "unknown");
  for (const code of ["rate_limited", "unauthorized", "conflict"] as const) {
    assert.equal(endOf(failed("tool_error", "x", { code })), "failed");
    assert.equal(endOf({ ...ok("{}"), code }), "failed");
  }
});

/** Steps: s(ent), d(one), f(ailed), u(nknown), r(ead back) by `p`, o: read back by another, k(illed and read anew). */
const PATHS: readonly [steps: string, own: string, other: string][] = [
  ["", "send", "send"],
  ["sd", "reuse", "another"],
  ["sf", "send", "send"],
  ["su", "unknown", "unknown"],
  ["sur", "send", "unknown"],
  ["suo", "unknown", "send"],
  ["surs", "send", "send"],
  ["sursu", "unknown", "unknown"],
  ["sursd", "reuse", "another"],
  ["sursur", "send", "unknown"],
  ["srsu", "unknown", "unknown"],
  ["sfsd", "reuse", "another"],
  ["sk", "unknown", "unknown"],
  ["skr", "send", "unknown"],
  ["skrk", "send", "unknown"],
  ["srk", "unknown", "unknown"],
  ["sdk", "reuse", "another"],
  ["sfk", "send", "send"],
  ["surk", "send", "unknown"],
  ["surksk", "unknown", "unknown"],
];

Deno.test("Effects says after each course of events who may have the effect, a kill at any moment included", () => {
  for (const [steps, own, other] of PATHS) {
    const log = new MemoryRunLog();
    let effects = new Effects(log);
    const ends = new Map<string, EffectEnd>([["d", "done"], ["f", "failed"], ["u", "unknown"]]);
    for (const step of steps) {
      const end = ends.get(step);
      if (end !== undefined) effects.ended("e", end, ok("paid"));
      else if (step === "s") effects.sent("e", { packetId: "p", tool: "refunds.issue", callId: "c" });
      else if (step === "k") effects = new Effects(log);
      else effects.readBack("refunds", step === "r" ? "p" : "q", ok("rows"));
    }
    const verdicts = ["p", "q"].map((packet) => effects.permission("e", packet).verdict);
    assert.deepEqual(verdicts, [own, other], steps || "nothing");
    assert.equal(effects.permission("other", "p").verdict, "send");
  }
});

Deno.test("Effects takes a look at another server for no look at this one", () => {
  const effects = new Effects(new MemoryRunLog());
  effects.sent("e", { packetId: "p", tool: "refunds.issue", callId: "c" });
  effects.ended("e", "unknown", ok());
  effects.readBack("refunds2", "p", ok("rows"));
  assert.equal(effects.permission("e", "p").verdict, "unknown");
});

test("gated() gives a packet that asks again what it got, and another packet nothing", async (clock) => {
  const { call, hub, events } = rig(clock);
  hub.deeds.push({ ...ok("paid"), structured: { reference: "R1" } });
  const args = { amount: 90, more: { a: 1, b: 2 } };
  await call("refunds.issue", args);
  const again = await call("refunds.issue", { more: { b: 2, a: 1 }, amount: 90, idempotency_key: "fresh" });
  assert.deepEqual([again.kind, again.code, again.structured], ["answered", undefined, { reference: "R1" }]);
  assert.equal(again.text, "paid\n[from the same call before; it was not made again]");
  assert.equal((await call("refunds.issue", args, { packet: "p2" })).code, "denied");
  assert.equal((await call("refunds.issue", { ...args, amount: 91 })).code, undefined);
  assert.equal(hub.sent.length, 2);
  assert.deepEqual(events("effect").map(({ state }) => state), ["sent", "done", "reused", "refused", "sent", "done"]);
});

test("gated() sends the same for two at once only one after the other, and only once", async (clock) => {
  const slow = (outcome: CallOutcome) => async () => (await sleep(clock, 10), outcome);
  for (
    const [first, texts, sent] of [
      [ok("paid"), ["paid", "paid", "p2 denied"], 1],
      [failed("timeout", "no answer"), ["outcome_unknown", "outcome_unknown", "p2 outcome_unknown"], 1],
      [failed("tool_error", "busy", { code: "rate_limited" }), ["rate_limited", "paid", "p2 denied"], 2],
    ] as const
  ) {
    const { call, hub } = rig(clock);
    hub.deeds.push(slow(first));
    const outcomes = await Promise.all([
      call("refunds.issue", { amount: 1 }),
      call("refunds.issue", { amount: 1 }),
      call("refunds.issue", { amount: 1 }, { packet: "p2" }),
    ]);
    const read = outcomes.map(({ code, text }, i) => (i === 2 ? "p2 " : "") + (code ?? text.split("\n")[0]));
    assert.deepEqual([read, hub.sent.length], [texts, sent]);
  }
});

test("gated() lets one that gives up waiting go, and nobody past the call that it waited for", async (clock) => {
  const { call, hub } = rig(clock);
  hub.deeds.push(async () => (await sleep(clock, 100), ok()));
  const first = call("refunds.issue", {});
  const second = call("refunds.issue", {}, { signal: abortAt(clock, 10) });
  const third = call("refunds.issue", {});
  assert.deepEqual([(await second).kind, clock.now()], ["aborted", 10]);
  assert.match((await third).text, /not made again/);
  assert.deepEqual([clock.now(), (await first).text, hub.sent.length], [100, "paid", 1]);
});

test("gated() calls an end that says nothing unknown, and holds the call back until somebody has looked", async (clock) => {
  for (const kind of [...LOST, ...ERRORS]) {
    const { call, hub, events } = rig(clock);
    hub.deeds.push(failed(kind, "lost"));
    const args = { amount: 90 };
    const first = await call("refunds.issue", args);
    // That it has failed is certain where the server says so; what it has left behind is not.
    assert.deepEqual([first.kind, first.code], [kind, ERRORS.includes(kind) ? "tool_error" : "outcome_unknown"]);
    assert.match(first.text, /^lost\nIt is not known whether refunds\.issue had its effect/);
    assert.equal((await call("refunds.issue", args)).code, "outcome_unknown");
    assert.equal((await call("refunds.issue", args, { packet: "p2" })).code, "outcome_unknown");
    // Neither a look that failed, nor one by somebody else.
    hub.deeds.push(failed("tool_error", "locked"));
    await call("refunds.list", {});
    await call("refunds.list", {}, { packet: "p2" });
    assert.equal((await call("refunds.issue", args)).code, "outcome_unknown");
    await call("refunds.list", {});
    assert.equal((await call("refunds.issue", args)).text, "paid");
    assert.match((await call("refunds.issue", args)).text, /not made again/);
    const keys = hub.sent.filter(({ name }) => name === "refunds.issue").map(({ args }) => args["idempotency_key"]);
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1], "both attempts have one key");
    const states = ["sent", "unknown", "refused", "refused", "refused", "sent", "done", "reused"];
    assert.deepEqual(events("effect").map(({ state }) => state), states);
  }
});

test("gated() does not take a look of the same turn, which the model has not seen, for a reason to repeat", async (clock) => {
  const operator = {
    approve: async (
      { binding }: { binding: string },
    ) => (await sleep(clock, 50), { decision: "approve", binding } as const),
    takeOver: () => Promise.resolve(undefined),
  };
  const { call, hub } = rig(clock, { approval: [{ rule: "ask", tools: ["refunds.issue"] }], operator });
  hub.deeds.push(failed("timeout", "no answer"));
  await call("refunds.issue", {});
  const [again] = await Promise.all([call("refunds.issue", {}), call("refunds.list", {})]);
  assert.equal(again.code, "outcome_unknown");
});

test("gated() writes nothing down as sent that was not", async (clock) => {
  const { call, hub, events } = rig(clock);
  hub.setDown("refunds");
  assert.equal((await call("refunds.issue", {})).code, "server_down");
  const off = new AbortController();
  off.abort();
  hub.setDown("refunds", false);
  assert.equal((await call("refunds.issue", {}, { signal: off.signal })).code, "cancelled");
  assert.deepEqual([hub.sent.length, events("effect")], [0, []]);
  assert.equal((await call("refunds.issue", {})).code, undefined);
});

test("gated() repeats what claims to be repeatable, and of what claims nothing only what surely ended", async (clock) => {
  const { call, hub, events } = rig(clock);
  const lost = failed("timeout", "no answer");
  hub.deeds.push(lost, ok("put"), ok("1"), ok("2"), lost, ok("3"));
  const read = async (name: string, how: { [key: string]: Json } = {}) => {
    const { code, text } = await call(name, how);
    return code ?? text;
  };
  assert.deepEqual([await read("files.put"), await read("files.put")], ["timeout", "put"]);
  assert.deepEqual([await read("other.do"), await read("other.do")], ["1", "2"]);
  assert.deepEqual([await read("other.do"), await read("other.do")], ["timeout", "outcome_unknown"]);
  assert.equal(await read("other.do", { other: true }), "3");
  assert.deepEqual(events("effect").map(({ state }) => state), ["refused"]);
});

test("gated() goes on after a kill: what was done is not done again, what was sent may have been", async (clock) => {
  const log = new MemoryRunLog();
  const hub = new FakeHub();
  const before = rig(clock, { log, hub });
  hub.deeds.push(ok("paid R1"), () => new Promise(() => {}));
  await before.call("refunds.issue", { amount: 1 });
  void before.call("refunds.issue", { amount: 2 });
  assert.equal(hub.sent.length, 2);
  const after = rig(clock, { log, hub, life: "b" });
  assert.match((await after.call("refunds.issue", { amount: 1 })).text, /^paid R1\n/);
  assert.equal((await after.call("refunds.issue", { amount: 2 })).code, "outcome_unknown");
  assert.equal(hub.sent.length, 2);
  await after.call("refunds.list", {});
  assert.equal((await after.call("refunds.issue", { amount: 2 })).code, undefined);
  assert.equal(hub.sent[1]?.args["idempotency_key"], hub.sent.at(-1)?.args["idempotency_key"]);
});

test("gated() takes a key that turns up for proof of the effect, and tells which calls it settles", async (clock) => {
  for (const key of [undefined, "the-customers-own-key"]) {
    const { call, hub, events } = rig(clock);
    const args = { amount: 90, ...(key === undefined ? {} : { idempotency_key: key }) };
    hub.deeds.push(failed("timeout", "no answer"));
    await call("refunds.issue", args, { span: "s1" });
    await call("refunds.issue", args, { span: "s2" });
    hub.deeds.push(ok(`[{"key":"other"}]`), ok(`[{"key":"${hub.sent[0]?.args["idempotency_key"]}"}]`));
    assert.equal((await call("refunds.list", {})).settles, undefined);
    const read = await call("refunds.list", {});
    assert.deepEqual(read.settles, ["s1", "s2"]);
    assert.equal((await call("refunds.list", {})).settles, undefined, "told once");
    const again = await call("refunds.issue", args);
    assert.equal(again.text, `${read.text}\n[from the same call before; it was not made again]`);
    assert.equal((await call("refunds.issue", args, { packet: "p2" })).code, "denied");
    const states = ["sent", "unknown", "refused", "done", "reused", "refused"];
    assert.deepEqual(events("effect").map(({ state }) => state), states);
  }
});

test("gated() takes no short key for proof", async (clock) => {
  const { call, hub } = rig(clock);
  hub.deeds.push(failed("timeout", "no answer"), ok("1 refund of 1"));
  await call("refunds.issue", { amount: 90, idempotency_key: "1" });
  assert.equal((await call("refunds.list", {})).settles, undefined);
});
