import assert from "node:assert/strict";
import type { Model } from "../../agents/mod.ts";
import { CodedError, RealClock, Redactor } from "../../core/mod.ts";
import { TraceRecorder } from "../trace/recorder.ts";
import { watchLink, watchModel } from "./watch.ts";

const cell = { scenario: "a", variant: null, lane: "sim", subject: "x", model: "x", seed: "0", repeat: 1 } as const;
const recorder = () => new TraceRecorder(cell, () => 0, new Redactor());
const request = { agent: "billing", span: "run/s1/b/step1", system: "be good", messages: [], tools: [] };
const turn = { text: "done", calls: [], finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const;

Deno.test("watchModel() records a prompt once, and each request and turn under its span", async () => {
  const trace = recorder();
  const model = watchModel({ next: () => Promise.resolve(turn) }, trace);
  const { signal } = new AbortController();
  assert.deepEqual(await model.next(request, signal), turn);
  await model.next({ ...request, span: "run/s1/b/step2" }, signal);
  const seen = trace.events.map(({ type, side, span }) => `${side} ${type} ${span.replace(/[0-9a-f]{12}/, "#")}`);
  assert.deepEqual(seen, [
    "world model.prompt run/prompts/#",
    "world model.request run/s1/b/step1",
    "world model.turn run/s1/b/step1",
    "world model.request run/s1/b/step2",
    "world model.turn run/s1/b/step2",
  ]);
});

Deno.test("watchModel() records a failure with its code, and passes it on", async () => {
  const off = new AbortController();
  const failing = (error: Error): Model => ({ next: () => Promise.reject(error) });
  const trace = recorder();
  await assert.rejects(
    watchModel(failing(new CodedError("rate_limited", "slow down")), trace).next(request, off.signal),
    {
      code: "rate_limited",
    },
  );
  off.abort();
  await assert.rejects(watchModel(failing(new Error("gone")), trace).next(request, off.signal), { message: "gone" });
  const errors = trace.events.filter(({ type }) => type === "model.error").map(({ outcome }) => outcome);
  assert.deepEqual(errors, ["rate_limited", "cancelled"]);
});

Deno.test("watchModel() calls off a turn that waits for its moment", async () => {
  const trace = recorder();
  const model = watchModel({ next: () => Promise.resolve(turn) }, trace, { yieldOn: new RealClock() });
  await assert.rejects(model.next(request, AbortSignal.abort(new Error("enough"))), { message: "enough" });
});

Deno.test("watchLink() puts a call's events under the span that the caller named, however calls mix", () => {
  const trace = recorder();
  const seen = watchLink(trace);
  const of = (call: number) => ({ server: "kb", tool: "search", call });
  for (const call of [1, 2]) {
    seen({ type: "request", ...of(call), args: {}, meta: { "brownout/span": `run/w${call}/call1` } });
  }
  seen({ type: "request", ...of(3), args: {}, meta: {} });
  seen({ type: "fault", ...of(2), fault: "latency", at: "kb" });
  for (const call of [3, 2, 1]) seen({ type: "reply", ...of(call), isError: false, text: "" });
  seen({ type: "close", server: "kb", by: "hub" });
  assert.deepEqual(trace.events.map(({ type, span }) => `${type} ${span}`), [
    "server.request run/w1/call1",
    "server.request run/w2/call1",
    "server.request run/servers/kb",
    "server.fault run/w2/call1",
    "server.reply run/servers/kb",
    "server.reply run/w2/call1",
    "server.reply run/w1/call1",
    "server.close run/servers/kb",
  ]);
});
