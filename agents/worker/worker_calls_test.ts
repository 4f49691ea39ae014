import assert from "node:assert/strict";
import { sleep } from "../../core/mod.ts";
import { failed } from "../hub/outcome.ts";
import { answered } from "../hub/reading.ts";
import { hang, say, sim, use } from "../testing.ts";
import type { Control, ControlResult } from "./control.ts";
import { ended, fails, text, type Tool, work } from "./testing.ts";

Deno.test("runWorker() makes a call with another call's id not at all, and gives each id one result", () =>
  sim(async (clock) => {
    let calls = 0;
    const find: Tool = () => (calls++, answered("two charges"));
    const twin = {
      ...use("s.find"),
      calls: ["c1", "c1", "c1", "c1~2"].map((id) => ({ id, name: "s.find", args: {} })),
    };
    const { report, model } = await work(clock, [twin, say("Two charges.")], { tools: { "s.find": find } });
    assert.equal(calls, 2);
    assert.equal(report.status, "ok");
    const shown = model.requests[1]?.messages ?? [];
    assert.deepEqual(shown.flatMap((one) => one.role === "assistant" ? one.calls.map(({ id }) => id) : []), [
      "c1",
      "c1~3",
      "c1~4",
      "c1~2",
    ]);
    assert.deepEqual(shown.flatMap((one) => one.role === "tool" ? [[one.callId, one.isError]] : []), [
      ["c1", false],
      ["c1~3", true],
      ["c1~4", true],
      ["c1~2", false],
    ]);
  }));

/** A control that keeps what it was asked. */
function control(name: string, result: ControlResult): Control & { readonly taken: unknown[] } {
  const taken: unknown[] = [];
  return {
    taken,
    spec: { name, description: "", inputSchema: { type: "object" } },
    take: ({ id, args }, { step, span }) => {
      taken.push([id, args, step, span, taken.length]);
      return result;
    },
  };
}

Deno.test("runWorker() takes controls once all calls of the turn have ended, and ends with the turn's text as its note", () =>
  sim(async (clock) => {
    const order: string[] = [];
    const hand = control("handoff.comms", { text: "handed over", ends: true });
    const taking = {
      ...hand,
      take: (...args: Parameters<Control["take"]>) => (order.push("control"), hand.take(...args)),
    };
    const slow: Tool = async () => {
      await sleep(clock, 300);
      order.push("call");
      return answered("two charges");
    };
    const turn = { ...use("handoff.comms", "s.find"), text: "Two charges." };
    const { report, model, events } = await work(clock, [turn], { tools: { "s.find": slow }, controls: [taking] });
    assert.deepEqual(order, ["call", "control"]);
    assert.deepEqual(ended(report), ["ok", undefined, "Two charges."]);
    assert.deepEqual(model.requests[0]?.tools.map(({ name }) => name), ["s.find", "handoff.comms"]);
    assert.deepEqual(hand.taken, [["c1", {}, 1, "run/s2/t1/step1/call1", 0]]);
    const ends = events.filter(({ type }) => type === "call.end").map(({ span }) => span.split("/").at(-1));
    assert.deepEqual(ends, ["call2", "call1"], "each has its end");
  }));

Deno.test("runWorker() goes on after a control that does not end it, and lets no server's tool have its name", () =>
  sim(async (clock) => {
    const refuse = control("s.find", { text: "not you", isError: true });
    const { report, model } = await work(clock, [use("s.find", "s.log"), say("Two charges.")], {
      tools: { "s.find": text("never asked"), "s.log": text("two charges") },
      controls: [refuse],
    });
    assert.equal(refuse.taken.length, 1);
    assert.deepEqual(report.findings[0]?.observations.map(({ tool }) => tool), ["s.log"]);
    assert.deepEqual(
      model.requests[1]?.messages.flatMap((one) => one.role === "tool" ? [[one.text, one.isError]] : []),
      [
        ["not you", true],
        ["two charges", false],
      ],
    );
  }));

Deno.test("runWorker() gives each call the specialist's limits, and uses the specialist's prompt", () =>
  sim(async (clock) => {
    const seen: unknown[] = [];
    const find: Tool = (_, { timeoutMs, idleTimeoutMs, caller }) => {
      seen.push([timeoutMs, idleTimeoutMs, caller]);
      return answered("two charges");
    };
    const specialist = { callTimeoutMs: 500, idleTimeoutMs: 200, prompt: "billing@1" };
    const { model } = await work(clock, [use("s.find"), say("Two charges.")], {
      tools: { "s.find": find },
      specialist,
    });
    assert.deepEqual(seen, [[500, 200, { worker: "billing", packetId: "t1" }]]);
    assert.match(model.requests[0]?.system ?? "", /^You are the billing specialist/);
    const strange = await work(clock, [say("x")], { specialist: { prompt: "constructor" } });
    assert.match(strange.model.requests[0]?.system ?? "", /^You are a specialist/);
  }));

Deno.test("runWorker() reports a call that may have acted before everything else, however the work ended", () =>
  sim(async (clock) => {
    const unknown: Tool = () => failed("timeout", "no answer", { code: "outcome_unknown" });
    const tools = { "s.find": fails("db down"), "s.pay": unknown };
    const noted = await work(clock, [use("s.find", "s.pay"), say("Paid.")], { tools });
    assert.equal(noted.report.failure?.code, "outcome_unknown");
    const late = await work(clock, [use("s.pay"), hang], { tools });
    assert.equal(late.report.failure?.code, "outcome_unknown");
    const spent = await work(clock, [use("s.pay"), use("s.find"), use("s.find")], { tools });
    assert.equal(spent.report.failure?.code, "outcome_unknown");
  }));

Deno.test("runWorker() makes no call whose arguments are none, tells its model, and lets it try again", () =>
  sim(async (clock) => {
    let calls = 0;
    const find: Tool = () => (calls++, answered("two charges"));
    const garbled = { ...use("s.find"), calls: [{ id: "c1", name: "s.find", args: {}, rawArguments: '{"q": 1' }] };
    const once = await work(clock, [garbled, say("Two charges.")], { tools: { "s.find": find } });
    assert.deepEqual([ended(once.report), calls], [["failed", "model_error", ""], 0]);
    const [, , shown] = once.model.requests[1]?.messages ?? [];
    assert.match(shown?.text ?? "", /^s\.find was not called: its arguments are not a JSON object: \{"q": 1$/);
    const again = await work(clock, [garbled, use("s.find"), say("Two charges.")], { tools: { "s.find": find } });
    assert.deepEqual([again.report.status, calls], ["ok", 1]);
    const other = await work(clock, [use("s.other", "s.find"), garbled, say("Something.")], {
      tools: { "s.find": fails("x"), "s.other": text("y") },
    });
    assert.equal(other.report.status, "partial", "what it could not ask is missing");
  }));

Deno.test("runWorker() does not take a call of the same turn for a second attempt", () =>
  sim(async (clock) => {
    const find: Tool = (args) =>
      JSON.stringify(args) === '{"id":1}' ? failed("tool_error", "locked") : text("x")(0, {
        allow: [],
        signal: new AbortController().signal,
        span: "",
      });
    const moves = [use(["s.find", { id: 1 }], ["s.find", { id: 2 }]), say("Order 2 is fine.")];
    const { report } = await work(clock, moves, { tools: { "s.find": find } });
    assert.deepEqual(ended(report), ["partial", "tool_error", "Order 2 is fine."]);
    assert.equal(report.failure?.detail, "s.find: locked (1 of 2 calls failed)");
  }));

Deno.test("runWorker() shows calls of one turn in the turn's order, whatever finished first", () =>
  sim(async (clock) => {
    const slow = (ms: number): Tool => async () => {
      await sleep(clock, ms);
      return { kind: "answered", text: `${ms}` };
    };
    const tools = { "s.a": slow(300), "s.b": slow(100), "s.c": slow(200) };
    const { report, model, events } = await work(clock, [use("s.a", "s.b", "s.c"), say("Done.")], { tools });
    assert.equal(clock.now(), 300, "they ran at the same time");
    assert.deepEqual(report.findings[0]?.observations.map((one) => one.text), ["300", "100", "200"]);
    assert.deepEqual(model.requests[1]?.messages.slice(2).map((one) => one.text), ["300", "100", "200"]);
    assert.deepEqual(events.filter(({ type }) => type === "call.end").map(({ detail }) => detail["text"]), [
      "100",
      "200",
      "300",
    ]);
  }));

Deno.test("runWorker() is told that a tool does not exist, and is not failed by having asked", () =>
  sim(async (clock) => {
    const tools = { "s.find": text("two charges"), "other.find": text("not yours") };
    const lost = ["s.fnd", "other.find", "constructor", "__proto__", "s.__proto__", ""];
    const { report, model } = await work(clock, [use(...lost), use("s.find"), say("Two charges.")], { tools });
    assert.deepEqual(ended(report), ["ok", undefined, "Two charges."]);
    assert.ok(model.requests[1]?.messages.slice(2).every((one) => one.role === "tool" && one.isError));
    const only = await work(clock, [use("other.find"), say("Two charges.")], { tools });
    assert.deepEqual(ended(only.report), ["failed", "denied", ""]);
  }));
