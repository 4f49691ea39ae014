/** The official clients, unmodified, against an endpoint without faults. */
import type { ModelCall } from "../faults/model_hooks.ts";
import { endpoint } from "./endpoint.ts";
import { ANTHROPIC_TOOLS, apiOf, ASK, bench, get, NOTE, OPENAI_TOOLS, RESPONSES_TOOLS, TURN, WAYS } from "./testing.ts";
import assert from "node:assert/strict";

const CALLS = TURN.calls;
const USAGE = { input: 1000, cached: 600, output: 50 };

for (const forwards of [false, true]) {
  const mode = forwards ? "forwarding" : "scripted";

  for (const way of WAYS) {
    Deno.test(`${mode}, ${way}: text, parallel calls, the reason to stop, and usage`, async () => {
      await using on = await bench({ forwards });
      const finish = { openai: "tool_calls", responses: "completed", anthropic: "tool_use" }[apiOf(way)];
      assert.deepEqual(await get(on, way), { text: TURN.text, calls: CALLS, finish, usage: USAGE });
      const reply = {
        status: 200,
        text: TURN.text,
        calls: CALLS,
        finish: "tool_calls",
        usage: TURN.usage,
        ended: "whole",
      };
      assert.deepEqual(on.seen("model_reply"), [{ type: "model_reply", agent: "billing", call: 1, ...reply }]);
    });

    Deno.test(`${mode}, ${way}: a text alone, a call alone, and a turn with nothing in it`, async () => {
      const turns = [NOTE, { ...TURN, text: "", calls: CALLS.slice(0, 1) }, { ...NOTE, text: "" }];
      const left = [...turns];
      await using on = await bench({ forwards, turn: () => Promise.resolve(left.shift() ?? NOTE) });
      for (const { text, calls } of turns) {
        const got = await get(on, way);
        assert.deepEqual([got.text, got.calls], [text, calls]);
      }
    });
  }

  Deno.test(`${mode}: each reason to stop is said in each API's own words`, async () => {
    const words = {
      stop: { openai: "stop", responses: "completed", anthropic: "end_turn" },
      length: { openai: "length", responses: "max_output_tokens", anthropic: "max_tokens" },
      content_filter: { openai: "content_filter", responses: "content_filter", anthropic: "refusal" },
      refusal: { openai: "stop", responses: "completed", anthropic: "refusal" },
    } as const;
    for (const finish of ["stop", "length", "content_filter", "refusal"] as const) {
      await using on = await bench({ forwards, turn: { ...NOTE, finish } });
      for (const way of WAYS) {
        assert.equal((await get(on, way)).finish, words[finish][apiOf(way)], `${finish} ${way}`);
      }
      const [openai, , responses, streamed, anthropic] = on.seen("model_reply");
      assert.deepEqual([openai?.finish, responses?.finish, streamed?.finish], [finish, finish, finish]);
      assert.equal(anthropic?.finish, finish === "content_filter" && forwards ? "refusal" : finish);
    }
  });

  Deno.test(`${mode}: an OpenAI refusal stands in its own field`, async () => {
    await using on = await bench({ forwards, turn: { ...NOTE, text: "I can't.", finish: "refusal" } });
    const { choices: [choice] } = await on.openai.chat.completions.create(ASK.openai);
    assert.deepEqual([choice?.message.refusal, choice?.message.content], ["I can't.", null]);
  });

  Deno.test(`${mode}: a conversation with tool results is read alike from all APIs`, async () => {
    const asked: ModelCall[] = [];
    await using on = await bench({
      forwards,
      turn: (call) => {
        asked.push(call);
        return Promise.resolve(NOTE);
      },
    });
    const args = { order_id: "12345" };
    await on.openai.chat.completions.create({
      model: "m",
      tools: OPENAI_TOOLS,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Hello" }] },
        {
          role: "assistant",
          content: "Let me look.",
          tool_calls: ["a", "b"].map((id) => ({
            id,
            type: "function",
            function: { name: "find_order", arguments: JSON.stringify(args) },
          })),
        },
        { role: "tool", tool_call_id: "b", content: "two" },
        { role: "tool", tool_call_id: "a", content: "one" },
        { role: "user", content: "And?" },
      ],
    });
    await on.anthropic.messages.create({
      model: "m",
      max_tokens: 10,
      tools: ANTHROPIC_TOOLS,
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user", content: "Hello" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Let me look." },
            ...["a", "b"].map((id) => ({ type: "tool_use" as const, id, name: "find_order", input: args })),
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "b", content: "two" },
            { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "one" }] },
            { type: "text", text: "And?" },
          ],
        },
      ],
    });
    await on.openai.responses.create({
      model: "m",
      tools: [...RESPONSES_TOOLS, { type: "web_search" }],
      instructions: "Be brief.",
      input: [
        { role: "user", content: [{ type: "input_text", text: "Hello" }] },
        { role: "assistant", content: "Let me look." },
        ...["a", "b"].map((id) => ({
          type: "function_call" as const,
          call_id: id,
          name: "find_order",
          arguments: JSON.stringify(args),
        })),
        { type: "function_call_output", call_id: "b", output: "two" },
        { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: "one" }] },
        { type: "message", role: "user", content: "And?" },
      ],
    });
    const [first, ...others] = asked;
    const ofTool = { role: "tool", name: "find_order", isError: false };
    assert.deepEqual(first, {
      agent: "billing",
      system: "Be brief.",
      messages: [
        { role: "user", text: "Hello" },
        {
          role: "assistant",
          text: "Let me look.",
          calls: [{ id: "a", name: "find_order", args }, { id: "b", name: "find_order", args }],
        },
        { ...ofTool, callId: "b", text: "two" },
        { ...ofTool, callId: "a", text: "one" },
        { role: "user", text: "And?" },
      ],
      tools: ["find_order", "refund_status"].map((name) => ({
        name,
        description: name,
        inputSchema: { type: "object", properties: {} },
      })),
    });
    assert.deepEqual(others, [first, first]);
    const { messages = [] } = first ?? {};
    assert.deepEqual(on.seen("model_request").map((event) => event.messages), [messages, messages, messages]);
  });
}

Deno.test("a stream without include_usage has no usage, as at OpenAI", async () => {
  await using on = await bench({ turn: NOTE });
  const stream = await on.openai.chat.completions.create({ ...ASK.openai, stream: true });
  for await (const chunk of stream) assert.equal("usage" in chunk, false);
});

Deno.test("agents are addressed by path, else by model, else by the default", async () => {
  const turn = ({ agent }: ModelCall) => Promise.resolve({ ...NOTE, text: agent });
  await using on = await bench({ turn, agents: ["planner", "Zoë Ω"] });
  const ask = async (baseURL: string, model: string) => {
    const { choices } = await on.openai.withOptions({ baseURL: `${baseURL}/v1` }).chat.completions.create({
      ...ASK.openai,
      model,
    });
    return choices[0]?.message.content;
  };
  assert.equal(await ask(on.endpoint.urlOf("Zoë Ω"), "planner"), "Zoë Ω");
  assert.equal(await ask(on.url, "planner"), "planner");
  assert.equal(await ask(on.url, "gpt-x"), "billing");
  await assert.rejects(ask(on.endpoint.urlOf("poet"), "planner"), {
    status: 404,
    message: /no agent "poet"; there are: planner, Zoë Ω, billing/,
  });
  await assert.rejects(ask(on.endpoint.urlOf("constructor"), "planner"), { status: 404 });
});

Deno.test("an agent is addressed alike by OpenAI's responses", async () => {
  const turn = ({ agent }: ModelCall) => Promise.resolve({ ...NOTE, text: agent });
  await using on = await bench({ turn, agents: ["planner", "Zoë Ω"] });
  const ask = async (baseURL: string, model: string) => {
    const client = on.openai.withOptions({ baseURL: `${baseURL}/v1` });
    return (await client.responses.create({ ...ASK.responses, model })).output_text;
  };
  assert.equal(await ask(on.endpoint.urlOf("Zoë Ω"), "planner"), "Zoë Ω");
  assert.equal(await ask(on.url, "planner"), "planner");
  assert.equal(await ask(on.url, "gpt-x"), "billing");
  await assert.rejects(ask(on.endpoint.urlOf("poet"), "planner"), { status: 404, message: /no agent "poet"/ });
});

Deno.test("without a list and a default, the model's name is the agent's", async () => {
  const asked: string[] = [];
  const scripted = ({ agent }: ModelCall) => Promise.resolve((asked.push(agent), NOTE));
  await using up = await endpoint({ backend: { scripted } });
  await using on = await bench();
  const client = on.openai.withOptions({ baseURL: `${up.url}/v1` });
  await client.chat.completions.create({ ...ASK.openai, model: "poet" });
  assert.deepEqual(asked, ["poet"]);
});

Deno.test("the list of models has the agents, for both clients", async () => {
  await using on = await bench({ agents: ["planner", "billing"] });
  const ids = [];
  for await (const model of on.openai.models.list()) ids.push(model.id);
  for await (const model of on.anthropic.models.list()) ids.push(model.id);
  assert.deepEqual(ids, ["planner", "billing", "planner", "billing"]);
  assert.equal((await on.openai.models.retrieve("planner")).id, "planner");
  await assert.rejects(on.anthropic.models.retrieve("poet"), { status: 404 });
});

Deno.test("many calls at a time each get their own turn", async () => {
  const turn = ({ messages }: ModelCall) => Promise.resolve({ ...NOTE, text: messages.at(-1)?.text ?? "" });
  for (const forwards of [false, true]) {
    await using on = await bench({ turn, forwards });
    const texts = Array.from({ length: 40 }, (_, i) => `number ${i} 🧭`);
    const said = await Promise.all(texts.map(async (content, i) => {
      const request = { ...ASK.openai, messages: [{ role: "user" as const, content }] };
      const { completions } = on.openai.chat;
      const { choices } = i % 2 === 0
        ? await completions.create(request)
        : await completions.stream(request).finalChatCompletion();
      return choices[0]?.message.content;
    }));
    assert.deepEqual(said, texts);
    const ordinals = on.seen("model_reply").map(({ call }) => call).sort((a, b) => a - b);
    assert.deepEqual(ordinals, texts.map((_, i) => i + 1));
  }
});
