/** What the clients send, word for word, to a server that answers what it is told. */
import assert from "node:assert/strict";
import { PLAN_REPLY } from "../../planner/plan.ts";
import type { ProviderName } from "./choice.ts";
import { connectTo, type ProviderCall } from "./provider.ts";

const CALL: ProviderCall = {
  agent: "planner",
  model: "m",
  system: "You plan.",
  messages: [{ role: "user", text: "Plan." }],
  tools: [],
  maxOutputTokens: 77,
  format: PLAN_REPLY,
};

const SAYS = {
  anthropic: {
    ...{ id: "m1", type: "message", role: "assistant", model: "m", stop_reason: "end_turn" },
    content: [{ type: "text", text: "{}" }],
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 30, cache_creation_input_tokens: 2 },
  },
  openai: {
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "{}" } }],
    usage: { prompt_tokens: 42, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 30 } },
  },
} as const;

interface Sent {
  readonly path: string;
  readonly headers: Headers;
  readonly body: { readonly [key: string]: unknown };
}

/** Asks a provider once for each reply, in one session, and tells what it was sent. */
async function sent(provider: ProviderName, replies: readonly object[], calls: readonly ProviderCall[]) {
  const got: Sent[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    got.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.json() });
    return Response.json(replies[got.length - 1]);
  });
  try {
    const baseUrl = `http://127.0.0.1:${server.addr.port}/v1`;
    const options = { apiKey: "sk-worthless-key", baseUrl, streamed: false, timeoutMs: 10_000 };
    const session = (await connectTo(provider, options)).open();
    const heard = [];
    for (const call of calls) heard.push(await session.ask(call, new AbortController().signal));
    return { got, heard, hidden: calls.map((call) => session.hiddenBytes?.(call) ?? 0) };
  } finally {
    await server.shutdown();
  }
}

Deno.test("anthropic: holds the reply to the form, and counts all that was read", async () => {
  const { got: [first], heard: [reply] } = await sent("anthropic", [SAYS.anthropic], [CALL]);
  assert.equal(first?.path, "/v1/messages");
  assert.equal(first?.headers.get("authorization"), "Bearer sk-worthless-key");
  assert.deepEqual(first?.body, {
    model: "m",
    max_tokens: 77,
    system: "You plan.",
    messages: [{ role: "user", content: [{ type: "text", text: "Plan." }] }],
    output_config: { format: { type: "json_schema", schema: PLAN_REPLY.schema } },
  });
  assert.deepEqual(reply?.usage, { inputTokens: 42, outputTokens: 5, cachedTokens: 30, cacheWriteTokens: 2 });
});

Deno.test("openai: holds the reply to the form strictly; compatible: asks for neither form nor new names", async () => {
  const { got: [first], heard: [reply] } = await sent("openai", [SAYS.openai], [CALL]);
  assert.equal(first?.path, "/v1/chat/completions");
  assert.equal(first?.headers.get("authorization"), "Bearer sk-worthless-key");
  const asked = {
    model: "m",
    messages: [{ role: "system", content: "You plan." }, { role: "user", content: "Plan." }],
  };
  const form = { name: "plan", strict: true, schema: PLAN_REPLY.schema };
  assert.deepEqual(first?.body, {
    ...asked,
    max_completion_tokens: 77,
    response_format: { type: "json_schema", json_schema: form },
  });
  assert.deepEqual(reply?.usage, { inputTokens: 42, outputTokens: 5, cachedTokens: 30, cacheWriteTokens: 0 });
  const { got: [other] } = await sent("compatible", [SAYS.openai], [CALL]);
  assert.deepEqual(other?.body, { ...asked, max_tokens: 77 });
});

Deno.test("anthropic: sends a turn's reasoning back with the results of its calls, unless the turn was changed", async () => {
  const content = [
    { type: "thinking", thinking: "Hm.", signature: "c2ln" },
    { type: "text", text: "Let me look." },
    { type: "tool_use", id: "c1", name: "orders--find_order", input: { id: 1 } },
  ];
  const call = { id: "c1", name: "orders.find_order", args: { id: 1 } };
  const asking = (text: string): ProviderCall => ({
    ...CALL,
    tools: [{ name: "orders.find_order", description: "", inputSchema: { type: "object" } }],
    messages: [
      ...CALL.messages,
      { role: "assistant", text, calls: [call] },
      { role: "tool", callId: "c1", name: "orders.find_order", text: "found", isError: false },
    ],
  });
  const first = { ...SAYS.anthropic, content, stop_reason: "tool_use" };
  const { got, heard: [reply], hidden } = await sent(
    "anthropic",
    [first, SAYS.anthropic, SAYS.anthropic],
    [{ ...asking(""), messages: CALL.messages }, asking("Let me look."), asking("Let me guess.")],
  );
  assert.deepEqual([reply?.text, reply?.calls, reply?.finish], ["Let me look.", [call], "tool_calls"]);
  const turns = got.map(({ body: { messages } }) => Array.isArray(messages) ? messages[1]?.content : undefined);
  assert.deepEqual(turns, [undefined, content, [{ type: "text", text: "Let me guess." }, content[2]]]);
  assert.deepEqual(hidden, [0, JSON.stringify([content[0]]).length, 0], "what is sent back is paid for again");
});

for (
  const [what, provider, reply] of [
    ["a list", "openai", []],
    ["no choice", "openai", { choices: [] }],
    ["no message", "anthropic", { type: "completion" }],
    ["a call without a name", "anthropic", { ...SAYS.anthropic, content: [{ type: "tool_use", id: "c1", input: {} }] }],
  ] as const
) {
  Deno.test(`${provider}: a reply that is ${what} is none`, async () => {
    await assert.rejects(sent(provider, [reply], [CALL]), { name: "MalformedReply" });
  });
}
