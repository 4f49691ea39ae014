/** What is refused, and what never gets out. */
import { CodedError } from "../../core/mod.ts";
import { ASK, bench, NOTE } from "./testing.ts";
import assert from "node:assert/strict";

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

const USER = { role: "user", content: "x" };
const call = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });

const BAD_OPENAI: readonly (readonly [unknown, RegExp])[] = [
  [[], /the body is not a JSON object/],
  [{}, /model: .*messages: /],
  [{ model: "m", messages: [] }, /messages: /],
  [{ model: "m", messages: [{ role: "wizard", content: "x" }] }, /messages\.0\.role: /],
  [{ model: "m", messages: [{ role: "user", content: 1 }] }, /messages\.0\.content: content is a string, or a list/],
  [{ model: "m", messages: [USER], n: 2 }, /n: only one choice/],
  [{ model: "m", messages: [USER], stream: "yes" }, /stream: /],
  [{ model: "m", messages: [USER], tools: [{ type: "custom" }] }, /tools\.0\.type: only function tools/],
  [
    { model: "m", messages: [USER, { role: "tool", content: "x", tool_call_id: "c9" }] },
    /messages\.1\.tool_call_id: .*"c9"/,
  ],
  [{
    model: "m",
    messages: [USER, { role: "assistant", tool_calls: [call("a"), call("b")] }, {
      role: "tool",
      content: "x",
      tool_call_id: "a",
    }, USER],
  }, /messages\.3: tool_calls must be followed .*without one: b/],
  [{ model: "m", messages: [USER, { role: "assistant", tool_calls: [call("a")] }] }, /without one: a/],
];

const BAD_ANTHROPIC: readonly (readonly [unknown, RegExp])[] = [
  ["x", /the body is not a JSON object/],
  [{ model: "m", messages: [USER] }, /max_tokens: /],
  [{ model: "m", max_tokens: 0, messages: [USER] }, /max_tokens: /],
  [{ model: "m", max_tokens: 1, messages: [{ role: "assistant", content: "x" }] }, /messages\.0\.role: the first/],
  [{ model: "m", max_tokens: 1, messages: [{ role: "system", content: "x" }] }, /messages\.0\.role: /],
  [{
    model: "m",
    max_tokens: 1,
    messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c9", content: "x" }] }],
  }, /messages\.0: no tool_use .*"c9"/],
  [{
    model: "m",
    max_tokens: 1,
    messages: [USER, { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] }, USER],
  }, /messages\.2: tool_use blocks must be followed .*without one: a/],
  [{
    model: "m",
    max_tokens: 1,
    messages: [USER, { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: [] }] }],
  }, /messages\.1\.content\.0: a tool_use block has/],
];

const made = (call_id: string) => ({ type: "function_call", call_id, name: "f", arguments: "{}" });
const result = (call_id: string) => ({ type: "function_call_output", call_id, output: "x" });
const ask = (rest: Record<string, unknown>) => ({ model: "m", input: "x", ...rest });

/** What is wrong, what is said of it, and what is said to be at fault, in the words of the API itself. */
const BAD_RESPONSES: readonly (readonly [unknown, RegExp, param: string | null, code: string | null])[] = [
  [[], /the body is not a JSON object/, null, null],
  [{ input: "x" }, /model: /, "model", null],
  [{ model: "m" }, /input: /, "input", "missing_required_parameter"],
  [ask({ input: [] }), /input: /, "input", "missing_required_parameter"],
  [ask({ input: 7 }), /input: is a string, or a list of items/, "input", null],
  [ask({ colour: "red" }), /^Unknown parameter: 'colour'\.$/, "colour", "unknown_parameter"],
  [
    { model: "m", messages: [USER] },
    /^Unsupported parameter: 'messages'.*moved to 'input'/,
    "messages",
    "unsupported_parameter",
  ],
  [ask({ max_tokens: 99 }), /moved to 'max_output_tokens'/, "max_tokens", "unsupported_parameter"],
  [ask({ background: true }), /background: replies come at once here/, "background", "unsupported_parameter"],
  [ask({ conversation: "conv_1" }), /previous_response_id/, "conversation", "unsupported_parameter"],
  [ask({ max_output_tokens: 15 }), /max_output_tokens: .*16/, "max_output_tokens", null],
  [ask({ stream: "yes" }), /stream: /, "stream", null],
  [ask({ text: { format: { type: "json_schema", schema: {} } } }), /text\.format\.name: /, "text.format.name", null],
  [ask({ tools: [{ type: "function", function: { name: "f" } }] }), /tools\[0\]\.name: /, "tools[0].name", null],
  [ask({ tool_choice: { type: "function", name: "f" } }), /'f' not found in 'tools'/, "tool_choice", null],
  [ask({ input: [{ role: "wizard", content: "x" }] }), /input\[0\]\.role: /, "input[0].role", null],
  [
    ask({ input: [{ role: "user", content: 1 }] }),
    /input\[0\]\.content: is a string, or a list/,
    "input[0].content",
    null,
  ],
  [ask({ input: [USER, { type: "wizardry" }] }), /Invalid value: 'wizardry'/, "input[1].type", "invalid_value"],
  [
    ask({ input: [USER, result("c9")] }),
    /^No tool call found for function call output with call_id c9\.$/,
    "input",
    null,
  ],
  [
    ask({ input: [USER, made("a"), made("b"), result("a"), USER] }),
    /^No tool output found for function call b\.$/,
    "input",
    null,
  ],
  [
    ask({ previous_response_id: "resp_9" }),
    /^Previous response with id 'resp_9' not found\.$/,
    "previous_response_id",
    "previous_response_not_found",
  ],
];

Deno.test("a request that is not valid is refused with 400, and says where and why, in each API's shape", async () => {
  await using on = await bench();
  for (const [body, message] of BAD_OPENAI) {
    const response = await post(`${on.url}/v1/chat/completions`, JSON.stringify(body));
    const { error } = await response.json();
    assert.equal(response.status, 400);
    assert.match(error.message, message);
    assert.equal(error.type, "invalid_request_error");
  }
  for (const [body, message] of BAD_ANTHROPIC) {
    const response = await post(`${on.url}/v1/messages`, JSON.stringify(body));
    const said = await response.json();
    assert.equal(response.status, 400);
    assert.equal(said.type, "error");
    assert.match(said.error.message, message);
    assert.equal(said.error.type, "invalid_request_error");
  }
  for (const [body, message, param, code] of BAD_RESPONSES) {
    const response = await post(`${on.url}/v1/responses`, JSON.stringify(body));
    const { error } = await response.json();
    assert.equal(response.status, 400, error.message);
    assert.match(error.message, message);
    assert.deepEqual([error.type, error.param, error.code], ["invalid_request_error", param, code]);
  }
  const all = BAD_OPENAI.length + BAD_ANTHROPIC.length + BAD_RESPONSES.length;
  assert.equal(on.seen("model_rejected").length, all);
  assert.equal(on.seen("model_request").length, 0);
});

Deno.test("a body that is no JSON, of another path, of another method, too long: each has its status", async () => {
  await using on = await bench({ maxBodyBytes: 100 });
  const statusOf = async (response: Promise<Response>) => {
    const { status, body } = await response;
    await body?.cancel();
    return status;
  };
  const chat = `${on.url}/v1/chat/completions`;
  assert.equal(await statusOf(post(chat, "{")), 400);
  assert.equal(await statusOf(post(chat, "")), 400);
  assert.equal(await statusOf(post(chat, "x".repeat(101))), 413);
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(60)) });
  // The server need not read what it refuses: the client may see the refusal, or that nobody reads on.
  const refused = await fetch(chat, { method: "POST", body: endless }).then(statusOfResponse, () => 413);
  assert.equal(refused, 413);
  assert.equal(await statusOf(fetch(chat)), 405);
  assert.equal(await statusOf(post(`${on.url}/v1/models`, "{}")), 405);
  assert.equal(await statusOf(post(`${on.url}/v1/embeddings`, "{}")), 404);
  assert.equal(await statusOf(fetch(on.url)), 404);
  assert.equal(await statusOf(post(`${on.url}/agents/%ff/v1/messages`, "{}")), 400);
  assert.ok(on.seen("model_rejected").some(({ status }) => status === 413));
});

Deno.test("a body that is nested without end is refused with 400, and arguments that are stay a text", async () => {
  await using on = await bench({ turn: NOTE });
  for (const levels of [1000, 200_000]) {
    const deep = `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    for (const [path, more] of [["responses", '"input":"x"'], ["chat/completions", '"messages":[]']] as const) {
      const response = await post(`${on.url}/v1/${path}`, `{"model":"m",${more},"metadata":${deep}}`);
      const { error } = await response.json();
      assert.deepEqual([response.status, error.message], [400, "the body is nested deeper than 500 levels"]);
    }
    const input = [USER, { ...made("a"), arguments: deep }, result("a")];
    const response = await post(`${on.url}/v1/responses`, JSON.stringify(ask({ input })));
    assert.equal(response.status, 200, await response.text());
    const [, turn] = on.seen("model_request").at(-1)?.messages ?? [];
    assert.deepEqual(turn?.role === "assistant" ? turn.calls : [], [{
      id: "a",
      name: "f",
      args: {},
      rawArguments: deep,
    }]);
  }
});

Deno.test("a refusal does not say again all of what was asked", async () => {
  await using on = await bench();
  for (const body of [ask({ ["p".repeat(100_000)]: 1 }), ask({ previous_response_id: "p".repeat(100_000) })]) {
    const response = await post(`${on.url}/v1/responses`, JSON.stringify(body));
    assert.ok((await response.text()).length < 5000);
  }
  assert.ok(on.seen("model_rejected").every(({ message }) => message.length <= 2000));
});

async function statusOfResponse(response: Response): Promise<number> {
  await response.body?.cancel();
  return response.status;
}

Deno.test("an endpoint with a token answers who has it, by either API's header, and nobody else", async () => {
  const token = "tok-5f0c-planted";
  await using on = await bench({ token, turn: NOTE });
  await on.openai.chat.completions.create(ASK.openai);
  await on.openai.responses.create(ASK.responses);
  await on.anthropic.messages.create(ASK.anthropic);
  const stranger = { apiKey: "sk-wrong" };
  await assert.rejects(on.openai.withOptions(stranger).chat.completions.create(ASK.openai), { status: 401 });
  await assert.rejects(on.anthropic.withOptions(stranger).messages.create(ASK.anthropic), { status: 401 });
  const bare = await fetch(`${on.url}/v1/models`);
  assert.equal(bare.status, 401);
  await bare.body?.cancel();
  assert.doesNotMatch(JSON.stringify(on.events), /planted|sk-wrong/);
});

Deno.test("no header of a request is in an event, in any mode", async () => {
  for (const forwards of [false, true]) {
    await using on = await bench({ forwards });
    await on.openai.chat.completions.create(ASK.openai);
    await on.openai.responses.create(ASK.responses);
    await on.anthropic.messages.create(ASK.anthropic);
    await assert.rejects(on.openai.chat.completions.create({ model: "m", messages: [] }), { status: 400 });
    assert.equal(on.events.length, 7);
    assert.doesNotMatch(JSON.stringify(on.events), /planted|[Bb]earer/);
  }
});

Deno.test("a name that somebody has pointed at this machine is refused", async () => {
  await using on = await bench();
  const { hostname, port } = new URL(on.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const request = "GET /v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  await connection.write(new TextEncoder().encode(request));
  const chunks = [];
  for await (const chunk of connection.readable) chunks.push(new TextDecoder().decode(chunk));
  assert.match(chunks.join(""), /^HTTP\/1\.1 403 /);
});

Deno.test("a model that throws is an error of its kind, which a client does not retry", async () => {
  const codes = { model_error: 500, rate_limited: 429, unauthorized: 401, timeout: 504 } as const;
  for (const code of ["model_error", "rate_limited", "unauthorized", "timeout"] as const) {
    await using on = await bench({
      turn: () => Promise.reject(new CodedError(code, "the script is at its end")),
      maxRetries: 2,
    });
    await assert.rejects(on.openai.chat.completions.create(ASK.openai), { status: codes[code], message: /at its end/ });
    await assert.rejects(on.openai.responses.create(ASK.responses), { status: codes[code], message: /at its end/ });
    await assert.rejects(on.anthropic.messages.create(ASK.anthropic), { status: codes[code], message: /at its end/ });
    assert.deepEqual(on.seen("model_reply").map(({ status, error }) => [status, error]), [
      [codes[code], "the script is at its end"],
      [codes[code], "the script is at its end"],
      [codes[code], "the script is at its end"],
    ]);
  }
});
