import assert from "node:assert/strict";
import { type Json, Random, sleep } from "../../core/mod.ts";
import type { ApprovalRule } from "../crews/crew.ts";
import { type CallOutcome, OUTCOME_CODES, type OutcomeKind } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import type { Operator } from "../people.ts";
import { sim } from "../testing.ts";
import { bindingOf } from "./binding.ts";
import { endOf } from "./effect_hub.ts";
import { ok, rig, type SentCall } from "./testing.ts";

const RUNS = 150;
const CALLS = 40;
const LIMIT = 100;
const EACH = 250;
const ALL = 600;

const tools = ["refunds.issue"];
const RULES: readonly ApprovalRule[] = [
  { rule: "limit", tools, amount: "amount", max: LIMIT },
  { rule: "total", tools, amount: "amount", max: EACH, per: "customer" },
  { rule: "total", tools, amount: "amount", max: ALL },
];
const KINDS = Object.keys(OUTCOME_CODES) as Exclude<OutcomeKind, "answered">[];

Deno.test("gated() never lets more pass by itself than the rules do, whatever is called, answered, denied and when", async () => {
  for (let run = 0; run < RUNS; run++) await sim((clock) => oneRun(new Random(`gate ${run}`), clock));
});

async function oneRun(random: Random, clock: Parameters<typeof rig>[0]): Promise<void> {
  const pick = <T>(...items: readonly T[]): T => items[random.int(items.length)] as T;
  const operator: Operator = {
    async approve({ binding }) {
      if (random.int(2) === 0) await sleep(clock, random.int(50));
      if (random.int(10) === 0) throw new Error("the line is dead");
      return { decision: pick("approve", "deny"), binding: random.int(8) === 0 ? "another" : binding };
    },
    takeOver: () => Promise.resolve(undefined),
  };
  const gate = rig(clock, { approval: [...RULES], ...(random.int(4) === 0 ? {} : { operator }) });
  const ends = new Map<SentCall, CallOutcome>();
  const answer = async (call: SentCall) => {
    if (random.int(2) === 0) await sleep(clock, random.int(50));
    const outcome = random.int(3) > 0 ? ok() : failed(pick(...KINDS), "x");
    ends.set(call, outcome);
    return outcome;
  };
  gate.hub.deeds.push(...Array.from({ length: CALLS }, () => answer));
  const ids: string[] = [];
  const results: Promise<CallOutcome>[] = [];
  for (let i = 0; i < CALLS; i++) {
    const args: { [key: string]: Json } = {
      customer: pick("a", "b"),
      amount: pick<Json>(10, 60, 90, 100, 101, 300, -5, "90", null, 0.5),
      reason: String(random.int(12)),
    };
    // Now and then a call id comes again.
    const span = random.int(15) === 0 && ids.length > 0 ? pick(...ids) : `call${i}`;
    ids.push(span);
    results.push(gate.call(random.int(6) === 0 ? "refunds.list" : "refunds.issue", args, {
      span,
      packet: pick("p1", "p1", "p2"),
    }));
    if (random.int(3) === 0) await sleep(clock, random.int(60));
  }
  // Each call has its one result, and it is an outcome.
  assert.equal((await Promise.all(results)).filter(({ text }) => typeof text === "string").length, CALLS);
  const log = gate.events("approval");
  const approved = log.filter(({ decision }) => decision === "approved");
  const issued = gate.hub.sent.filter(({ name }) => name === "refunds.issue");
  // What was sent was approved first, by that very binding, once.
  assert.equal(issued.length, approved.length);
  assert.equal(new Set(approved.map(({ callId }) => callId)).size, approved.length);
  for (const { name, args, span } of issued) {
    const own = approved.filter(({ callId }) => callId === span);
    assert.deepEqual(own.map(({ binding }) => binding), [bindingOf(span, name, args)]);
  }
  // Of what has acted, or may have, no more passed by itself than the rules allow.
  const byPolicy = new Set(approved.filter(({ by }) => by === "policy").map(({ callId }) => callId));
  const passed = issued.filter((call) => byPolicy.has(call.span) && endOf(ends.get(call) ?? ok()) !== "failed");
  const sum = (calls: readonly SentCall[]) => calls.reduce((total, { args }) => total + Number(args["amount"]), 0);
  assert.ok(
    passed.every(({ args }) => typeof args["amount"] === "number" && args["amount"] >= 0 && args["amount"] <= LIMIT),
  );
  assert.ok(sum(passed) <= ALL);
  for (const customer of ["a", "b"]) assert.ok(sum(passed.filter(({ args }) => args["customer"] === customer)) <= EACH);
  // No effect was had twice without a look in between.
  const done = new Map<string, number>();
  for (const call of issued) {
    if (endOf(ends.get(call) ?? ok()) !== "done") continue;
    const { idempotency_key: _, ...what } = call.args;
    const key = JSON.stringify(what);
    done.set(key, (done.get(key) ?? 0) + 1);
  }
  assert.ok([...done.values()].every((times) => times === 1));
}
