import assert from "node:assert/strict";
import { CodedError, RealClock, sleep } from "../../core/mod.ts";
import { failed } from "../hub/outcome.ts";
import { abortAt, after, FakeModel, hang, type Move, say, sim, use } from "../testing.ts";
import type { ModelTurn } from "../models/model.ts";
import { inputTokens } from "../models/tokens.ts";
import { runWorker } from "./worker.ts";
import { ended, fails, fakeHub, inTurn, PACKET, text, type Tool, work } from "./testing.ts";

Deno.test("runWorker() spends its steps, and says tool_error where it never had a usable observation", () =>
  sim(async (clock) => {
    const moves = [use("s.find"), use("s.find"), use("s.find"), say("never asked")];
    const busy = await work(clock, [...moves]);
    assert.deepEqual(ended(busy.report), ["failed", "budget_steps", ""]);
    assert.equal(busy.report.failure?.detail, "no report after 3 steps");
    assert.equal(busy.report.usage.steps, 3);
    const stuck = await work(clock, [...moves], { tools: { "s.find": fails("db down") } });
    assert.deepEqual(ended(stuck.report), ["failed", "tool_error", ""]);
    assert.equal(stuck.report.failure?.detail, "s.find: db down (3 of 3 calls failed)");
    assert.equal(stuck.report.failure?.retryable, false);
    const tools = { "s.find": inTurn(fails("db down"), text("got it"), fails("db down")) };
    const wavering = await work(clock, [...moves], { tools });
    assert.deepEqual(ended(wavering.report), ["failed", "budget_steps", ""]);
  }));

Deno.test("runWorker() makes no model call that would overrun its tokens, and lets none say more than is left", () =>
  sim(async (clock) => {
    const moves = [use("s.find"), use("s.find"), say("Two charges.")]; // 15 tokens each
    const free = await work(clock, moves);
    assert.equal(free.model.requests[0]?.maxOutputTokens, undefined);
    const sizes = free.model.requests.map(inputTokens);
    const [, second = 0, third = 0] = sizes;
    const over = await work(clock, moves, { packet: { maxTokens: 30 + third } });
    assert.deepEqual(ended(over.report), ["failed", "budget_tokens", ""]);
    assert.equal(over.report.usage.steps, 2, "nothing would be left for the third reply");
    const within = await work(clock, moves, { packet: { maxTokens: 31 + third } });
    assert.equal(within.model.requests[2]?.maxOutputTokens, 1);
    const stuck = await work(clock, moves, {
      packet: { maxTokens: 15 + second },
      tools: { "s.find": fails("db down") },
    });
    assert.deepEqual(ended(stuck.report), ["failed", "tool_error", ""]);
  }));

Deno.test("runWorker() says budget_tokens where its own limit has cut the reply, and model_error where the model's has", () =>
  sim(async (clock) => {
    const cut = { ...say("Two char", "length"), usage: { inputTokens: 10, outputTokens: 20 } };
    const first = await work(clock, [use("s.find"), cut], { packet: { maxTokens: 1000 } });
    assert.deepEqual([first.report.failure?.code, first.report.failure?.retryable], ["model_error", false]);
    const most = first.model.requests[1]?.maxOutputTokens ?? 0;
    const all = { ...cut, usage: { inputTokens: 10, outputTokens: most } };
    const second = await work(clock, [use("s.find"), all], { packet: { maxTokens: 1000 } });
    assert.equal(second.report.failure?.code, "budget_tokens");
  }));

Deno.test("runWorker() stops where its money is spent, as far as the price is known", () =>
  sim(async (clock) => {
    const priced = (turn: ModelTurn): ModelTurn => ({ ...turn, usage: { ...turn.usage, costUsd: 0.15 } }); // a cent a token
    const moves = [priced(use("s.find")), priced(use("s.find")), say("never asked")];
    const spent = await work(clock, moves, { packet: { maxCostUsd: 0.1 } });
    assert.deepEqual([ended(spent.report), spent.report.usage.steps], [["failed", "budget_cost", ""], 1]);
    assert.equal(spent.report.usage.costUsd, 0.15);
    const most = await work(clock, moves, { packet: { maxCostUsd: 10, maxSteps: 2 } });
    const [, next] = most.model.requests;
    assert.ok(next);
    assert.equal(next.maxOutputTokens, 985 - inputTokens(next), "985 cents are left");
  }));

Deno.test("runWorker() reports timeout exactly at its deadline, whatever is slow", () =>
  sim(async (clock) => {
    const sinks: [string, readonly Move[], Tool][] = [
      ["a model that heeds its signal", [after(clock, 5000, say("late"))], text("x")],
      ["a model that ignores its signal", [hang], text("x")],
      ["a tool that heeds its signal", [use("s.find")], async (_, { signal }) => {
        await sleep(clock, 5000, signal).catch(() => {});
        return failed("timeout", "no answer");
      }],
      ["many quick steps", Array.from({ length: 9 }, () => after(clock, 300, use("s.find"))), text("x")],
    ];
    for (const [what, moves, find] of sinks) {
      const from = clock.now();
      const { report } = await work(clock, moves, { tools: { "s.find": find }, packet: { maxSteps: 9 } });
      assert.deepEqual(ended(report), ["failed", "timeout", ""], what);
      assert.equal(report.failure?.detail, "no report within 1000 ms");
      assert.deepEqual([report.startedAt, report.endedAt, clock.now()], [from, from + 1000, from + 1000], what);
    }
  }));

Deno.test("runWorker() takes a report that comes just before its deadline", () =>
  sim(async (clock) => {
    const { report } = await work(clock, [use("s.find"), after(clock, 999, say("Two charges."))]);
    assert.deepEqual(ended(report), ["ok", undefined, "Two charges."]);
  }));

Deno.test("runWorker() says cancelled when it is called off, with the code of the reason if it has one", () =>
  sim(async (clock) => {
    const off = await work(clock, [hang], { signal: abortAt(clock, 100) });
    assert.deepEqual(ended(off.report), ["failed", "cancelled", ""]);
    assert.equal(off.report.endedAt, 100);
    const why = new CodedError("budget_cost", "the money is gone");
    const coded = await work(clock, [hang], { signal: abortAt(clock, 100, why) });
    assert.equal(coded.report.failure?.code, "budget_cost");
    const before = await work(clock, [say("never asked")], { signal: AbortSignal.abort() });
    assert.deepEqual(ended(before.report), ["failed", "cancelled", ""]);
    assert.equal(before.model.requests.length, 0);
  }));

Deno.test("runWorker() says how long it was asked to wait, and that a model that is not there is not worth asking again", () =>
  sim(async (clock) => {
    const limited: Tool = () => failed("tool_error", "slow down", { code: "rate_limited", retryAfterMs: 700 });
    const tool = await work(clock, [use("s.find"), say("x")], { tools: { "s.find": limited } });
    assert.deepEqual([tool.report.failure?.code, tool.report.failure?.retryAfterMs], ["rate_limited", 700]);
    const thrown = (status: number) =>
      Object.assign(new CodedError("model_error", `${status}`), { status, retryAfterMs: 9 });
    const gone = await work(clock, [thrown(404)]);
    assert.deepEqual([gone.report.failure?.retryable, gone.report.failure?.retryAfterMs], [false, 9]);
    assert.equal((await work(clock, [thrown(503)])).report.failure?.retryable, true);
  }));

Deno.test("runWorker() measures on the clock that it is given", async () => {
  const clock = new RealClock();
  const model = new FakeModel({ billing: [use("s.find"), say("Two charges.")] });
  const world = { model, hub: fakeHub({ "s.find": text("x") }), clock, emit: () => {} };
  const report = await runWorker(PACKET, world, "run", new AbortController().signal);
  assert.equal(report.status, "ok");
  assert.ok(report.endedAt >= report.startedAt);
});
