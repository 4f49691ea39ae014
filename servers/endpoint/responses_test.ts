/** What only OpenAI's responses have: events with a number each, items with ids, and a server that remembers. */
import type { ModelCall, ModelReply } from "../faults/model_hooks.ts";
import type { Responses } from "npm:openai@7.59.0/resources/responses/responses";
import { zodResponsesFunction, zodTextFormat } from "npm:openai@7.59.0/helpers/zod";
import { z } from "zod";
import { Conversations } from "./conversations.ts";
import { endpoint } from "./endpoint.ts";
import type { Fields } from "../faults/model/wire.ts";
import { ReplyReader } from "./responses_reader.ts";
import { ASK, at, type Bench, bench, gotOf, NOTE, TURN } from "./testing.ts";
import assert from "node:assert/strict";

/** Says what it was asked: how many messages, and the last one. */
const parrot = ({ messages }: ModelCall): Promise<ModelReply> =>
  Promise.resolve({ ...NOTE, text: `${messages.length}: ${messages.at(-1)?.text}` });

/** The events of a stream, by type, with what differs from run to run left out. */
async function eventsOf(on: Bench): Promise<{ readonly type: string }[]> {
  const events = [];
  for await (const event of await on.openai.responses.create({ ...ASK.responses, stream: true })) events.push(event);
  assert.deepEqual(events.map(({ sequence_number }) => sequence_number), events.map((_, i) => i));
  return events;
}

const typesOf = (events: readonly { readonly type: string }[]) =>
  // A text is as many deltas as it takes.
  events.map(({ type }) => type.replace(/^response\./, "")).filter((type, i, all) => type !== all[i - 1]);

const CALL = [
  "output_item.added",
  "function_call_arguments.delta",
  "function_call_arguments.done",
  "output_item.done",
];

Deno.test("a stream is the API's own sequence of events, however it ends", async () => {
  const ends: readonly (readonly [ModelReply, string, readonly string[]])[] = [
    [TURN, "output_text", [...CALL, ...CALL, "completed"]],
    [{ ...NOTE, finish: "length" }, "output_text", ["incomplete"]],
    [{ ...NOTE, finish: "content_filter" }, "output_text", ["incomplete"]],
    [{ ...NOTE, finish: "refusal" }, "refusal", ["completed"]],
  ];
  for (const [turn, kind, rest] of ends) {
    await using on = await bench({ turn });
    assert.deepEqual(typesOf(await eventsOf(on)), [
      ...["created", "in_progress", "output_item.added", "content_part.added"],
      ...[`${kind}.delta`, `${kind}.done`, "content_part.done", "output_item.done"],
      ...rest,
    ]);
  }
});

Deno.test("a reply says what was asked, and which part of it is not whole", async () => {
  await using on = await bench({ turn: { ...TURN, finish: "length" } });
  const format = { type: "json_schema" as const, name: "plan", schema: { type: "object" }, strict: true };
  const asked = {
    ...ASK.responses,
    instructions: "Be brief.",
    text: { format },
    tool_choice: { type: "function" as const, name: "find_order" },
    parallel_tool_calls: false,
    max_output_tokens: 16,
    metadata: { run: "7" },
    include: ["reasoning.encrypted_content" as const],
  };
  const reply = await on.openai.responses.create(asked);
  const { instructions, text, tool_choice, parallel_tool_calls, max_output_tokens, metadata, tools } = reply;
  const { include: _, input: __, model, ...rest } = asked;
  assert.deepEqual(
    { instructions, text, tool_choice, parallel_tool_calls, max_output_tokens, metadata, tools },
    rest,
  );
  assert.equal(reply.model, model);
  assert.deepEqual([reply.status, reply.incomplete_details], ["incomplete", { reason: "max_output_tokens" }]);
  const statuses = reply.output.map((item) => "status" in item ? item.status : "none");
  assert.deepEqual(statuses, ["completed", "completed", "incomplete"]);
  assert.equal(new Set(reply.output.map(({ id }) => id)).size, 3);
});

Deno.test("structured output is read by the client's own helpers, and what they make of it can be given back", async () => {
  const order = z.object({ order_id: z.string() });
  const call = { id: "c1", name: "find_order", args: { order_id: "7" } };
  await using on = await bench({ turn: { ...TURN, text: '{"order_id": "7"}', calls: [call] } });
  const { responses } = on.openai;
  const asked = {
    model: "m",
    input: [{ role: "user" as const, content: "Hello" }],
    text: { format: zodTextFormat(order, "order") },
    tools: [zodResponsesFunction({ name: "find_order", parameters: order })],
  };
  const whole = await responses.parse(asked);
  const streamed = await responses.stream(asked).finalResponse();
  for (const { output_parsed, output } of [whole, streamed]) {
    assert.deepEqual(output_parsed, { order_id: "7" });
    const [made] = output.flatMap((item) => item.type === "function_call" ? item.parsed_arguments : []);
    assert.deepEqual(made, { order_id: "7" });
  }
  const result = { type: "function_call_output" as const, call_id: "c1", output: "found" };
  const said = whole.output.flatMap((item): Responses.ResponseInputItem[] =>
    item.type === "message" || item.type === "function_call" ? [item] : []
  );
  await responses.create({ ...asked, input: [...asked.input, ...said, result] });
  assert.deepEqual(on.seen("model_request").at(-1)?.messages.map(({ role }) => role), ["user", "assistant", "tool"]);
});

for (const stream of [false, true]) {
  Deno.test(`a request goes on from a reply by its id, ${stream ? "streamed" : "whole"}: the model sees all of it`, async () => {
    const asked: ModelCall[] = [];
    const turns = [TURN, NOTE, NOTE];
    const turn = (call: ModelCall) => Promise.resolve((asked.push(call), turns.shift() ?? NOTE));
    for (const forwards of [false, true]) {
      turns.splice(0, turns.length, TURN, NOTE, NOTE);
      asked.length = 0;
      await using on = await bench({ turn, forwards });
      const { responses } = on.openai;
      const say = (body: Responses.ResponseCreateParamsNonStreaming): Promise<Responses.Response> =>
        stream ? responses.stream({ ...body, stream: true }).finalResponse() : responses.create(body);
      const first = await say({
        ...ASK.responses,
        instructions: "Be brief.",
        input: [{ role: "developer", content: "Be kind." }, { role: "user", content: "Hello" }],
      });
      const results = TURN.calls.map(({ id }) => ({
        type: "function_call_output" as const,
        call_id: id,
        output: `of ${id}`,
      }));
      const second = await say({ ...ASK.responses, previous_response_id: first.id, input: results });
      const [message] = second.output;
      assert.ok(message?.id);
      // In another conversation, what was said can be referred to.
      await say({
        ...ASK.responses,
        input: [{ role: "user", content: "Hi" }, { type: "item_reference", id: message.id }, {
          role: "user",
          content: "So?",
        }],
      });
      const [, middle, last] = on.seen("model_request");
      // Instructions are each request's own, prompts among the messages are the conversation's.
      assert.deepEqual(on.seen("model_request").map(({ system }) => system), ["Be brief.\n\nBe kind.", "Be kind.", ""]);
      const { text, calls } = TURN;
      assert.deepEqual(middle?.messages, [
        { role: "user", text: "Hello" },
        { role: "assistant", text, calls },
        ...calls.map(({ id, name }) => ({ role: "tool", callId: id, name, text: `of ${id}`, isError: false })),
      ]);
      assert.deepEqual(last?.messages.map((said) => said.text), ["Hi", NOTE.text, "So?"]);
      // A provider who remembers by himself sees the same.
      assert.deepEqual(asked.map(({ messages }) => messages), on.seen("model_request").map(({ messages }) => messages));
      assert.equal(second.previous_response_id, first.id);
    }
  });
}

Deno.test("what was not to be stored, and what another cell was told, cannot be gone on from", async () => {
  await using on = await bench({ turn: parrot });
  const { responses } = on.openai;
  const notFound = { status: 400, code: "previous_response_not_found" };
  const unstored = await responses.create({ ...ASK.responses, store: false });
  await assert.rejects(responses.create({ ...ASK.responses, previous_response_id: unstored.id }), notFound);
  const stored = await responses.create(ASK.responses);
  assert.equal((await responses.create({ ...ASK.responses, previous_response_id: stored.id })).output_text, "3: Hello");
  on.endpoint.bind({ ...on.cell, faults: [] });
  await assert.rejects(responses.create({ ...ASK.responses, previous_response_id: stored.id }), notFound);
  const reference = { type: "item_reference" as const, id: stored.output[0]?.id ?? "" };
  await assert.rejects(responses.create({ ...ASK.responses, input: [reference] }), { status: 404 });
});

Deno.test("a reply that a fault has spoiled cannot be gone on from; one that it has changed is gone on from as it was told", async () => {
  await using on = await bench({ turn: parrot });
  const { responses } = on.openai;
  on.endpoint.bind({ ...on.cell, faults: at("overload_in_stream", { when: { calls: [1] } }) });
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const event of await responses.create({ ...ASK.responses, stream: true })) {
      if (event.type === "response.created") seen.push(event.response.id);
    }
  }, /Overloaded/);
  assert.equal(seen.length, 1);
  await assert.rejects(responses.create({ ...ASK.responses, previous_response_id: seen[0] ?? null }), { status: 400 });
  on.endpoint.bind({ ...on.cell, faults: at("model_refusal", { when: { calls: [1] } }) });
  const refused = await responses.create(ASK.responses);
  await responses.create({ ...ASK.responses, previous_response_id: refused.id });
  assert.equal(on.seen("model_request").at(-1)?.messages[1]?.text, "I can't help with that.");
});

Deno.test("an overload in a stream is an error, and the response's failure", async () => {
  await using on = await bench({ faults: at("overload_in_stream") });
  const body = JSON.stringify({ ...ASK.responses, stream: true });
  const stream = await (await fetch(`${on.url}/v1/responses`, { method: "POST", body })).text();
  const events = stream.trim().split("\n\n").map((event) => JSON.parse(event.split("\ndata: ")[1] ?? ""));
  const [error, failed] = events.slice(-2);
  const sequence_number = events.length - 2;
  assert.deepEqual(error, { type: "error", sequence_number, code: "overloaded", message: "Overloaded", param: null });
  assert.deepEqual([failed.type, failed.response.status, failed.response.error.code], [
    ...["response.failed", "failed", "server_error"],
  ]);
});

Deno.test("what is forwarded goes byte by byte, and whole where a provider was not told what the caller was", async () => {
  const bodies: { readonly [name: string]: unknown }[] = [];
  const upstream = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    bodies.push(await request.json());
    const id = `resp_of_provider_${bodies.length}`;
    const content = [{ type: "output_text", text: "Hm.", annotations: [] }];
    const output = [{ type: "message", id: `msg_${bodies.length}`, role: "assistant", status: "completed", content }];
    return Response.json({ id, object: "response", status: "completed", output, usage: null, error: null });
  });
  await using up = await endpoint({
    backend: { forward: { url: `http://127.0.0.1:${upstream.addr.port}` } },
    faults: at("model_refusal", { when: { calls: [3] } }),
  });
  await using on = await bench();
  const { responses } = on.openai.withOptions({ baseURL: `${up.url}/v1` });
  const ask = (input: string, previous_response_id: string | null, more = {}) =>
    responses.create({ model: "m", input, previous_response_id, ...more });
  // What the provider knows and we do not is his business, and so are parameters that are new to us.
  const first = await ask("one", "resp_older", { brand_new: true });
  assert.deepEqual(bodies[0], { model: "m", input: "one", previous_response_id: "resp_older", brand_new: true });
  const second = await ask("two", first.id);
  assert.deepEqual(bodies[1], { model: "m", input: "two", previous_response_id: "resp_of_provider_1" });
  const third = await ask("three", second.id);
  assert.equal(gotOf(third).text, "I can't help with that.");
  await ask("four", third.id);
  assert.deepEqual(bodies[3], {
    model: "m",
    input: [
      { role: "user", content: "one" },
      { role: "assistant", content: "Hm." },
      { role: "user", content: "two" },
      { role: "assistant", content: "Hm." },
      { role: "user", content: "three" },
      { role: "assistant", content: "I can't help with that." },
      { role: "user", content: "four" },
    ],
  });
  await upstream.shutdown();
});

Deno.test("calls of one reply are one turn of the model, though a client puts each result right behind its call", async () => {
  await using on = await bench();
  const { output } = await on.openai.responses.create(ASK.responses);
  const input = output.flatMap((item): Responses.ResponseInputItem[] =>
    item.type === "function_call"
      ? [item, { type: "function_call_output" as const, call_id: item.call_id, output: "x" }]
      : item.type === "message"
      ? [item]
      : []
  );
  await on.openai.responses.create({ ...ASK.responses, input: [{ role: "user", content: "Hello" }, ...input] });
  const { text, calls } = TURN;
  assert.deepEqual(on.seen("model_request").at(-1)?.messages, [
    { role: "user", text: "Hello" },
    { role: "assistant", text, calls },
    ...calls.map(({ id, name }) => ({ role: "tool", callId: id, name, text: "x", isError: false })),
  ]);
});

Deno.test("a stream is read from servers that keep less closely to the sequence", () => {
  const item = (id: string, text: string) => ({
    type: "message",
    id,
    role: "assistant",
    content: [{ type: "output_text", text }],
  });
  const read = (events: readonly Fields[]) => {
    const reader = new ReplyReader();
    for (const event of events) reader.push(event);
    const { kept: _, ...said } = reader.read();
    return said;
  };
  const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hm." };
  const begun = { type: "response.output_item.added", output_index: 0, item: { ...item("a", ""), content: [] } };
  const completed = { type: "response.completed", response: { id: "r", status: "completed" } };
  const good = { text: "Hm.", calls: [], finish: "stop" };
  // Without ids, or with others; with items that come when they are whole, or in the last event alone.
  assert.deepEqual(read([begun, delta, completed]), good);
  assert.deepEqual(read([begun, { ...delta, item_id: "other" }, completed]), good);
  assert.deepEqual(
    read([{ type: "response.output_item.done", output_index: 0, item: item("a", "Hm.") }, completed]),
    good,
  );
  assert.deepEqual(
    read([{ ...completed, response: { ...completed.response, output: [item("a", "Hm.")] } }]),
    good,
  );
  const bare = (output_index: number) => ({ ...begun, output_index, item: { ...begun.item, id: "" } });
  const later = { ...delta, output_index: 1, delta: " Yes." };
  assert.deepEqual(read([bare(0), bare(1), delta, later, completed]), { ...good, text: "Hm. Yes." });
  assert.deepEqual(read([bare(0), bare(1), later, delta, completed]), { ...good, text: "Hm. Yes." });
  // Cut off, it has no end.
  assert.deepEqual(read([begun, delta]), { text: "Hm.", calls: [] });
  // Errors as they are documented, as they are sent, and without a word.
  const message = "busy";
  for (
    const [event, error] of [
      [{ type: "error", code: "x", message, param: null }, message],
      [{ type: "error", error: { type: "server_error", message } }, message],
      [{ type: "response.failed", response: { status: "failed", error: { code: "x", message } } }, message],
      [{ type: "response.failed", response: { status: "failed", error: null } }, "the response has failed"],
      [{ type: "error" }, "an error without a message"],
    ] as const
  ) {
    assert.deepEqual(read([begun, delta, event]), { text: "Hm.", calls: [], error });
  }
});

Deno.test("Conversations remembers so many replies and so much of them, and forgets what nobody has asked for in the longest time", () => {
  const said = (text: string) => ({ role: "user" as const, text });
  const exchanged = (text: string, previous?: string) => ({
    system: [],
    messages: [said(text)],
    items: [{ id: `item_${text}` }],
    upstream: true,
    ...(previous !== undefined && { previous }),
  });
  const few = new Conversations(3);
  few.keep("a", exchanged("one"));
  few.keep("b", exchanged("two", "a"));
  few.keep("c", exchanged("three"));
  const past = few.find("b");
  assert.deepEqual(past?.messages, [said("one"), said("two")]);
  // The same objects each time, by which somebody may know the conversation.
  assert.equal(few.find("b")?.messages[0], past?.messages[0]);
  few.keep("d", exchanged("four"));
  assert.deepEqual(["a", "b", "c", "d"].map((id) => few.find(id) !== undefined), [true, true, false, true]);
  assert.deepEqual(["item_three", "item_four"].map((id) => few.item(id)?.item.id), [undefined, "item_four"]);
  few.keep("e", exchanged("five"));
  few.keep("f", exchanged("six"));
  // A conversation of which a part is forgotten is none.
  assert.equal(few.find("b"), undefined);
  few.keep("circle", exchanged("x", "circle"));
  assert.equal(few.find("circle"), undefined);
  const twice = new Conversations(2);
  for (const id of ["a", "b", "c"]) twice.keep(id, exchanged(id === "c" ? "other" : "same"));
  assert.equal(twice.item("item_same")?.item.id, "item_same", "b has it still");
  const little = new Conversations(100, 1000);
  for (let i = 0; i < 10; i++) little.keep(`r${i}`, exchanged("x".repeat(200)));
  assert.deepEqual([7, 8, 9].map((i) => little.find(`r${i}`) !== undefined), [false, true, true]);
  little.keep("huge", exchanged("x".repeat(2000)));
  assert.deepEqual(["huge", "r9"].map((id) => little.find(id) !== undefined), [false, true]);
});
