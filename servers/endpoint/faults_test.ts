/** What the official clients make of each fault of a model's API, scripted and forwarding. */
import Anthropic from "npm:@anthropic-ai/sdk@1.14.0";
import OpenAI from "npm:openai@7.59.0";
import type { ModelReply } from "../faults/model_hooks.ts";
import { ANTHROPIC_TOOLS, apiOf, ASK, at, type Bench, bench, get, NOTE, TURN, WAYS } from "./testing.ts";
import assert from "node:assert/strict";

type Way = typeof WAYS[number];

/** Which of the words is that of the way's API: chat completions, responses, messages. */
function wordOf(way: Way, openai: string, responses: string, anthropic: string): string {
  return { openai, responses, anthropic }[apiOf(way)];
}

/** Runs a test for each of the ways, scripted and forwarding. */
function everywhere(
  name: string,
  fault: string,
  params: Record<string, unknown>,
  test: (on: Bench, way: Way) => Promise<void>,
  turn: ModelReply = TURN,
) {
  for (const forwards of [false, true]) {
    Deno.test(`${fault} ${JSON.stringify(params)}, ${forwards ? "forwarding" : "scripted"}: ${name}`, async () => {
      for (const way of WAYS) {
        await using on = await bench({ forwards, turn, faults: at(fault, params) });
        await test(on, way);
        assert.equal(on.seen("model_fault").length, 1, way);
        const { length } = on.seen("model_request");
        assert.equal(length, 1, `${way}: nobody asked to ask again`);
      }
    });
  }
}

/** The error of either client. */
async function errorOf(on: Bench, way: Way) {
  const error = await get(on, way).then(() => assert.fail(`${way} went well`), (thrown: unknown) => thrown);
  assert.ok(error instanceof OpenAI.OpenAIError || error instanceof Anthropic.AnthropicError, `${way}: ${error}`);
  const status = error instanceof OpenAI.APIError || error instanceof Anthropic.APIError ? error.status : undefined;
  const headers = error instanceof OpenAI.APIError || error instanceof Anthropic.APIError ? error.headers : undefined;
  return { error, status, headers };
}

const ERRORS = [
  ["model_http_error", {}, 500, "InternalServerError"],
  ["model_http_error", { status: 503 }, 503, "InternalServerError"],
  ["model_overloaded", {}, 529, "InternalServerError"],
  ["model_unauthorized", {}, 401, "AuthenticationError"],
  ["context_length", {}, 400, "BadRequestError"],
  ["model_rate_limited", {}, 429, "RateLimitError"],
  ["model_proxy_html", {}, 502, "InternalServerError"],
] as const;

for (const [fault, params, status, name] of ERRORS) {
  everywhere(`a ${name} with status ${status}`, fault, params, async (on, way) => {
    const got = await errorOf(on, way);
    assert.equal(got.status, status);
    // Clients have a name of their own for some of them.
    const names = [name, "OverloadedError", "ServiceUnavailableError"];
    assert.ok(names.includes(got.error.constructor.name), got.error.constructor.name);
    assert.equal((await on.first("model_reply")).status, status);
  });
}

everywhere("OpenAI's own code", "context_length", {}, async (on, way) => {
  const { error } = await errorOf(on, way);
  if (error instanceof OpenAI.APIError) assert.equal(error.code, "context_length_exceeded");
});

everywhere("Retry-After in seconds", "model_rate_limited", { retryAfter: 1500 }, async (on, way) => {
  assert.equal((await errorOf(on, way)).headers?.get("retry-after"), "2");
});

everywhere("Retry-After in milliseconds", "model_rate_limited", { as: "milliseconds" }, async (on, way) => {
  assert.equal((await errorOf(on, way)).headers?.get("retry-after-ms"), "2000");
});

everywhere("Retry-After as a date", "model_rate_limited", { as: "date" }, async (on, way) => {
  const date = (await errorOf(on, way)).headers?.get("retry-after") ?? "";
  assert.equal(new Date(date).toUTCString(), date);
});

Deno.test("model_rate_limited: a client that retries gets past a transient one, and each attempt is a call", async () => {
  const faults = at("model_rate_limited", { retryAfter: 1, as: "milliseconds", when: { first: 1 } });
  for (const forwards of [false, true]) {
    for (const way of WAYS) {
      await using on = await bench({ forwards, maxRetries: 1, faults });
      assert.equal((await get(on, way)).text, TURN.text);
      assert.deepEqual(on.seen("model_reply").map(({ call, status }) => `${call}: ${status}`), ["1: 429", "2: 200"]);
    }
  }
});

for (const content of ["before", "after"]) {
  everywhere("never a short success", "overload_in_stream", { content }, async (on, way) => {
    const { error } = await errorOf(on, way);
    assert.match(error.message, /Overloaded|overloaded/);
    const reply = await on.first("model_reply");
    assert.equal(reply.error, "Overloaded");
    assert.equal(reply.status, way.endsWith("stream") ? 200 : 529);
    assert.equal(reply.text !== "", content === "after" && way.endsWith("stream"));
  });
}

everywhere("never a success", "malformed_model_reply", {}, async (on, way) => {
  await assert.rejects(get(on, way));
});

everywhere("never a success", "model_stream_cut", {}, async (on, way) => {
  await assert.rejects(get(on, way));
  const reply = await on.first("model_reply");
  assert.deepEqual([reply.ended, reply.finish], ["cut", undefined]);
});

everywhere("the whole text, late", "slow_first_token", { ms: 1 }, async (on, way) => {
  assert.equal((await get(on, way)).text, TURN.text);
});

everywhere("the whole text, in drips", "slow_stream", { ms: 1 }, async (on, way) => {
  assert.deepEqual((await get(on, way)).calls, TURN.calls);
});

everywhere("nothing at all", "empty_reply", {}, async (on, way) => {
  const { text, calls, usage } = await get(on, way);
  assert.deepEqual([text, calls, usage.output], ["", [], 0]);
});

everywhere("cut, and says so", "truncated_reply", {}, async (on, way) => {
  const { text, finish } = await get(on, way);
  assert.deepEqual([text, finish], ["Größe 42 – 東京 🧭 pr", wordOf(way, "length", "max_output_tokens", "max_tokens")]);
});

everywhere("filtered, and says so", "content_filter", {}, async (on, way) => {
  assert.equal((await get(on, way)).finish, wordOf(way, "content_filter", "content_filter", "refusal"));
});

everywhere("a refusal", "model_refusal", {}, async (on, way) => {
  const { text, finish } = await get(on, way);
  assert.deepEqual([text, finish], ["I can't help with that.", wordOf(way, "stop", "completed", "refusal")]);
});

everywhere("the name of no tool", "unknown_tool", {}, async (on, way) => {
  assert.deepEqual((await get(on, way)).calls.map(({ name }) => name), ["admin.lookup", "refund_status"]);
});

everywhere("one id twice", "duplicate_call_ids", {}, async (on, way) => {
  // A stream of responses with one id twice is refused by the client's own reader.
  if (way === "responses stream") await assert.rejects(get(on, way), /duplicate output item identity/);
  else assert.deepEqual((await get(on, way)).calls.map(({ id }) => id), ["c1", "c1"]);
  assert.deepEqual((await on.first("model_reply")).calls.map(({ id }) => id), ["c1", "c1"]);
});

for (const fault of ["bad_tool_call", "truncated_arguments"]) {
  everywhere("arguments that are no JSON object", fault, {}, async (on, way) => {
    const last = fault === "bad_tool_call" ? 0 : 1;
    const got = await get(on, way).catch(() => undefined);
    // Anthropic's own client completes half an object in a stream, or fails: all that is left is the reason to stop.
    if (way !== "anthropic stream") assert.equal(typeof got?.calls[last]?.args, "string", way);
    else if (fault === "truncated_arguments") assert.equal(got?.finish, "max_tokens");
    const { calls } = await on.first("model_reply");
    assert.deepEqual(calls[last]?.args, {});
    assert.ok(calls[last]?.rawArguments, way);
  });
}

everywhere("cached tokens once, the last usage of a response", "double_counted_tokens", {}, async (on, way) => {
  assert.deepEqual((await get(on, way)).usage, { input: 1000, cached: 800, output: 50 });
  assert.deepEqual((await on.first("model_reply")).usage, { inputTokens: 1000, outputTokens: 50, cachedTokens: 800 });
});

for (const forwards of [false, true]) {
  Deno.test(`shared_stream_index, ${forwards ? "forwarding" : "scripted"}: two calls, as far as a correct reader can tell`, async () => {
    for (const way of ["openai stream", "responses stream", "anthropic stream"] as const) {
      await using on = await bench({ forwards, faults: at("shared_stream_index") });
      // What the client makes of it is the client's business: OpenAI's own joins the two, or throws.
      await get(on, way).catch(() => {});
      assert.deepEqual((await on.first("model_reply")).calls, TURN.calls);
      assert.equal(on.seen("model_fault").length, 1);
    }
  });

  Deno.test(`split_multibyte, ${forwards ? "forwarding" : "scripted"}: cut at every byte, and the text is whole`, async () => {
    for (const where of ["multibyte", "every_byte"]) {
      for (const way of WAYS) {
        await using on = await bench({ forwards, faults: at("split_multibyte", { where }) });
        const got = await get(on, way);
        assert.deepEqual([got.text, got.calls], [TURN.text, TURN.calls], `${where}, ${way}`);
        assert.equal(on.seen("model_fault").length, 1);
        assert.equal((await on.first("model_reply")).text, TURN.text);
      }
    }
  });

  for (const how of ["reset", "end"]) {
    Deno.test(`model_stream_cut at every byte, by ${how}, ${forwards ? "forwarding" : "scripted"}: just those bytes, never a whole turn`, async () => {
      const turn = { ...NOTE, text: "é🧭" };
      await using whole = await bench({ forwards, turn });
      const post = (on: Bench) =>
        fetch(`${on.url}/v1/messages`, { method: "POST", body: JSON.stringify({ ...ASK.anthropic, stream: true }) });
      const bytes = new Uint8Array(await (await post(whole)).arrayBuffer());
      await using on = await bench({ forwards, turn });
      for (let byte = 0; byte < bytes.length; byte += forwards ? 7 : 1) {
        on.endpoint.bind({ ...on.cell, faults: at("model_stream_cut", { byte, how }) });
        on.behind?.bind({ ...on.cell, faults: [], observer: () => {} });
        const response = await post(on);
        const got: number[] = [];
        let broken = false;
        try {
          for await (const chunk of response.body ?? []) got.push(...chunk);
        } catch {
          broken = true;
        }
        assert.equal(broken, how === "reset", `byte ${byte}`);
        assert.deepEqual(new Uint8Array(got), bytes.subarray(0, byte));
      }
      const replies = on.seen("model_reply");
      assert.ok(replies.every(({ ended }) => ended === (how === "reset" ? "cut" : "whole")));
    });
  }
}

Deno.test("never_stops: asked after a tool call, the endpoint calls again without asking the model", async () => {
  await using on = await bench({ faults: at("never_stops"), turn: () => Promise.reject(new Error("asked")) });
  const { content, stop_reason } = await on.anthropic.messages.create({
    model: "m",
    max_tokens: 10,
    tools: ANTHROPIC_TOOLS,
    messages: [
      { role: "user", content: "x" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "find_order", input: { order_id: "1" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "found" }] },
    ],
  });
  assert.equal(stop_reason, "tool_use");
  assert.deepEqual(content, [{ type: "tool_use", id: "again-1-1", name: "find_order", input: { order_id: "1" } }]);
});
