/** What live models make of each fault of a model's API: over HTTP, through the official clients, streamed and not. */
import assert from "node:assert/strict";
import { LiveModel } from "../../agents/models/live/live.ts";
import type { ProviderName } from "../../agents/models/live/choice.ts";
import { connectTo } from "../../agents/models/live/provider.ts";
import { Purse } from "../../agents/models/live/purse.ts";
import { Throttle } from "../../agents/models/live/throttle.ts";
import type { ModelRequest, ModelTurn } from "../../agents/mod.ts";
import { RealClock } from "../../core/mod.ts";
import { at, type Bench, bench, NOTE, TURN } from "../../servers/endpoint/testing.ts";
import type { Fault } from "../../servers/faults/fault.ts";
import { MODEL_FAULTS } from "../../servers/faults/model/mod.ts";
import type { ModelReply } from "../../servers/model/mod.ts";

const KEY = "sk-planted-secret";
const PROVIDERS: readonly ProviderName[] = ["anthropic", "openai", "compatible"];

const TOOLS = ["find_order", "refund_status"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties: {} },
}));
const REQUEST: ModelRequest = {
  agent: "billing",
  span: "run/s2/billing/step1",
  system: "You look things up.",
  messages: [{ role: "user", text: "Hello" }],
  tools: TOOLS,
};

/** Shorter than by default: these tests wait on the machine's clock. */
const QUICK: Readonly<Record<string, Record<string, unknown>>> = {
  slow_first_token: { ms: 1 },
  slow_stream: { ms: 1 },
};

async function modelAt(on: Bench, provider: ProviderName, streamed: boolean, retries = 0): Promise<LiveModel> {
  const clock = new RealClock();
  const baseUrl = provider === "anthropic" ? on.url : `${on.url}/v1`;
  return new LiveModel({
    spec: { provider, name: "billing" },
    provider: await connectTo(provider, { apiKey: KEY, baseUrl, streamed, timeoutMs: 20_000 }),
    purse: new Purse(),
    throttle: new Throttle({ concurrent: 4 }, clock),
    clock,
    epochMs: () => Date.now(),
    apiKey: KEY,
    retries,
  });
}

/** A turn's outcome, in the words of the catalogue. */
async function outcomeOf(on: Bench, model: LiveModel, hangs: boolean): Promise<{ outcome: string; turn?: ModelTurn }> {
  const caller = new AbortController();
  const reason = new DOMException("the worker's time is up", "TimeoutError");
  // As a worker's deadline would, as soon as there is something to wait for.
  if (hangs) on.first("model_fault").then(() => caller.abort(reason));
  try {
    const turn = await model.next(REQUEST, caller.signal);
    if (turn.finish === "refusal" || turn.finish === "content_filter") return { outcome: "refused", turn };
    if (turn.calls.some(({ rawArguments }) => rawArguments !== undefined)) return { outcome: "model_error", turn };
    return { outcome: turn.text === "" && turn.calls.length === 0 ? "empty_result" : "ok", turn };
  } catch (error) {
    if (error === reason) return { outcome: "timeout" };
    assert.ok(error instanceof Error && "code" in error, String(error));
    assert.ok(!error.message.includes(KEY) && !error.message.includes("<html"), error.message);
    return { outcome: String(error.code) };
  }
}

const HANGS = new Set(["model_hang", "model_stream_stall"]);
/** Nothing to do in a body that is one whole. */
const STREAM_ONLY = new Set(["shared_stream_index"]);
const API_FAULTS = MODEL_FAULTS.filter(({ layer }) => layer === "model_api");

async function holds(fault: Fault, forwards: boolean): Promise<void> {
  for (const provider of PROVIDERS) {
    for (const streamed of [false, true]) {
      const where = `${provider}${streamed ? " stream" : ""}, ${forwards ? "forwarding" : "scripted"}`;
      const faults = at(fault.id, QUICK[fault.id] ?? {});
      await using on = await bench({ forwards, turn: TURN, faults });
      const model = await modelAt(on, provider, streamed);
      const { outcome, turn } = await outcomeOf(on, model, HANGS.has(fault.id));
      assert.equal(on.seen("model_fault").length, STREAM_ONLY.has(fault.id) && !streamed ? 0 : 1, where);
      assert.equal(outcome, fault.outcome, where);
      assert.equal(on.seen("model_request").length, 1, `${where}: nobody asked to ask again`);
      if (outcome !== "ok") continue;
      assert.deepEqual([turn?.text, turn?.calls], [TURN.text, TURN.calls], where);
      const cachedTokens = fault.id === "double_counted_tokens" ? 800 : TURN.usage.cachedTokens;
      assert.deepEqual(turn?.usage, { ...TURN.usage, cachedTokens }, `${where}: each token once`);
    }
  }
}

for (const fault of API_FAULTS) {
  Deno.test(`${fault.id} over HTTP comes to ${fault.outcome} with every provider, as the catalogue says`, async () => {
    for (const forwards of [false, true]) await holds(fault, forwards);
  });
}

Deno.test("a live model gives the whole turn, with its tools' own names, over every provider", async () => {
  const call = (name: string) => ({ id: "c1", name, args: { order_id: "12345" } });
  const reply: ModelReply = { ...TURN, calls: [call("orders--find_order"), call("nobody--knows")] };
  for (const provider of PROVIDERS) {
    for (const streamed of [false, true]) {
      await using on = await bench({ turn: reply });
      const model = await modelAt(on, provider, streamed);
      const tools = [{ name: "orders.find_order", description: "", inputSchema: { type: "object" } }];
      const { calls, finish } = await model.next({ ...REQUEST, tools }, new AbortController().signal);
      // What is no tool's safe name stays as it is, and is refused by name.
      assert.deepEqual([calls.map(({ name }) => name), finish], [["orders.find_order", "nobody--knows"], "tool_calls"]);
      assert.deepEqual((await on.first("model_request")).tools, ["orders--find_order"]);
    }
  }
});

Deno.test("a live model sends a conversation with calls and results so that the provider takes it", async () => {
  const messages: ModelRequest["messages"] = [
    { role: "user", text: "Hello" },
    {
      role: "assistant",
      text: "",
      calls: [{ id: "a", name: "find_order", args: { id: 1 } }, { id: "b", name: "refund_status", args: {} }],
    },
    { role: "tool", callId: "a", name: "find_order", text: "charged twice", isError: false },
    { role: "tool", callId: "b", name: "refund_status", text: "no such order", isError: true },
  ];
  for (const provider of PROVIDERS) {
    await using on = await bench({ turn: NOTE });
    const model = await modelAt(on, provider, false);
    assert.equal((await model.next({ ...REQUEST, messages }, new AbortController().signal)).text, NOTE.text);
    const { system, messages: asked } = await on.first("model_request");
    assert.equal(system, REQUEST.system);
    const told = provider === "anthropic"
      ? messages
      // OpenAI's protocol has no field that says that a call has failed: the text does.
      : messages.map((one) =>
        one.role === "tool"
          ? { ...one, text: one.isError ? `The call failed: ${one.text}` : one.text, isError: false }
          : one
      );
    assert.deepEqual(asked, told);
  }
});

Deno.test("a live model that is asked to wait waits, and gets its turn", async () => {
  const ways = [["anthropic", "date"], ["openai", "seconds"], ["compatible", "milliseconds"]] as const;
  await Promise.all(ways.map(async ([provider, as]) => {
    const faults = at("model_rate_limited", { retryAfter: as === "milliseconds" ? 20 : 1, as, when: { first: 1 } });
    await using on = await bench({ turn: NOTE, faults });
    const model = await modelAt(on, provider, false, 1);
    assert.equal((await model.next(REQUEST, new AbortController().signal)).text, NOTE.text);
    assert.deepEqual(on.seen("model_reply").map(({ status }) => status), [429, 200]);
  }));
});
