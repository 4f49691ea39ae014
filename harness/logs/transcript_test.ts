import assert from "node:assert/strict";
import { readLog } from "./read.ts";
import { scoreLogRun } from "./score.ts";

const ASKED = "What does the plum cost?";
const SAID = "The plum costs 3.";
const DOWN = "connection refused";
const args = { item: "plum" };

/** One chat as different clients keep it: a question, a call that fails, an answer. */
const SHAPES: ReadonlyMap<string, readonly object[]> = new Map<string, readonly object[]>([
  ["OpenAI", [
    { role: "system", content: "Be brief." },
    { role: "user", content: ASKED },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [{ id: "c1", type: "function", function: { name: "shop.price", arguments: JSON.stringify(args) } }],
    },
    { role: "tool", tool_call_id: "c1", content: `{"error": "${DOWN}"}` },
    { role: "assistant", content: SAID },
  ]],
  ["OpenAI, legacy", [
    { role: "user", content: [{ type: "text", text: ASKED }] },
    {
      role: "assistant",
      content: null,
      function_call: { name: "shop.price", arguments: JSON.stringify(args) },
    },
    { role: "function", name: "shop.price", content: `Error: ${DOWN}` },
    { role: "assistant", content: [{ type: "text", text: SAID }] },
  ]],
  ["OpenAI, responses", [
    { role: "user", content: [{ type: "input_text", text: ASKED }] },
    { type: "reasoning", summary: [] },
    { type: "function_call", id: "fc_1", call_id: "c1", name: "shop.price", arguments: JSON.stringify(args) },
    { type: "function_call_output", call_id: "c1", output: `Error: ${DOWN}` },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: SAID }] },
  ]],
  ["Anthropic", [
    { role: "user", content: ASKED },
    {
      role: "assistant",
      content: [{ type: "text", text: "Let me look." }, {
        type: "tool_use",
        id: "c1",
        name: "shop.price",
        input: args,
      }],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c1", is_error: true, content: [{ type: "text", text: DOWN }] }],
    },
    { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, { type: "text", text: SAID }] },
  ]],
  ["LangChain", [
    { type: "human", content: ASKED },
    { type: "ai", content: "", tool_calls: [{ id: "c1", name: "shop.price", args }] },
    { type: "tool", tool_call_id: "c1", name: "shop.price", status: "error", content: DOWN },
    { type: "ai", content: SAID },
  ]],
  ["LangChain, serialised", [
    { lc: 1, type: "constructor", id: ["langchain", "schema", "HumanMessage"], kwargs: { content: ASKED } },
    {
      lc: 1,
      type: "constructor",
      id: ["langchain", "schema", "AIMessage"],
      kwargs: { content: "", tool_calls: [{ id: "c1", name: "shop.price", args }] },
    },
    {
      lc: 1,
      type: "constructor",
      id: ["langchain", "schema", "ToolMessage"],
      kwargs: { content: `Error: ${DOWN}`, tool_call_id: "c1" },
    },
    { lc: 1, type: "constructor", id: ["langchain", "schema", "AIMessageChunk"], kwargs: { content: SAID } },
  ]],
  ["LangChain, as dictionaries", [
    { type: "human", data: { content: ASKED } },
    { type: "ai", data: { content: "", tool_calls: [{ id: "c1", name: "shop.price", args }] } },
    { type: "tool", data: { content: `Error: ${DOWN}`, tool_call_id: "c1", name: "shop.price" } },
    { type: "ai", data: { content: SAID } },
  ]],
  ["Inspect", [
    { role: "user", content: ASKED },
    { role: "assistant", content: "", tool_calls: [{ id: "c1", function: "shop.price", arguments: args }] },
    {
      role: "tool",
      tool_call_id: "c1",
      function: "shop.price",
      content: "",
      error: { type: "unknown", message: DOWN },
    },
    { role: "assistant", content: SAID },
  ]],
  ["OpenTelemetry", [
    { role: "user", parts: [{ type: "text", content: ASKED }] },
    { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "shop.price", arguments: args }] },
    { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: `Error: ${DOWN}` }] },
    { role: "assistant", parts: [{ type: "text", content: SAID }] },
  ]],
]);

Deno.test("readLog() reads one chat alike, whoever's client has kept it", () => {
  for (const [name, messages] of SHAPES) {
    const { runs: [run], problems } = readLog(JSON.stringify({ messages }));
    assert.deepEqual(problems, [], name);
    assert.ok(run !== undefined, name);
    assert.deepEqual([run.task, run.final, run.calls.length, run.calls[0]?.name], [ASKED, SAID, 1, "shop.price"], name);
    const { failed, flagged } = scoreLogRun(run);
    assert.deepEqual([failed.length, flagged], [1, true], name);
    assert.ok(failed[0]?.says.includes(DOWN), name);
  }
});

Deno.test("readLog() takes a chat a line, a list of messages, and a file that is one value over many lines", () => {
  const [one = [], two = []] = SHAPES.values();
  const lines = `${JSON.stringify({ id: "a", messages: one, model: "x" })}\n${JSON.stringify(two)}\n`;
  const { runs, problems, ignored } = readLog(lines);
  assert.deepEqual([problems, runs.map(({ id }) => id), [...ignored]], [[], ["a", "line 2"], [["model", 1]]]);
  const whole = (value: unknown) => readLog(JSON.stringify(value, null, 2)).runs.map(({ id }) => id);
  assert.deepEqual(whole(one), ["item 1"]);
  assert.deepEqual(whole([{ messages: one }, { id: "b", messages: two }]), ["item 1", "b"]);
  assert.deepEqual(whole({ id: "c", task: "x", calls: [], final: "y" }), ["c"]);
});

Deno.test("readLog() takes every answer of a chat, each result to its call, and no answer where a call was the last word", () => {
  const call = (id: string, item: string) => ({ id, function: { name: "price", arguments: { item } } });
  const messages = [
    { role: "user", content: "Plum?" },
    { role: "assistant", content: "", tool_calls: [call("c0", "plum"), call("c1", "fig")] },
    { role: "tool", tool_call_id: "c1", content: "2" },
    { role: "tool", tool_call_id: "c0", content: "3" },
    { role: "assistant", content: "The plum costs 3." },
    { role: "user", content: "And a pear?" },
    { role: "assistant", content: "Wait.", tool_calls: [call("c0", "pear")] },
  ];
  const read = (list: readonly object[]) => readLog(JSON.stringify({ messages: list })).runs[0];
  assert.deepEqual(read(messages)?.calls.map(({ result }) => result), ["3", "2", undefined]);
  assert.deepEqual([read(messages)?.final, read(messages)?.task], [null, "Plum?\n\nAnd a pear?"]);
  const answered = [...messages, { role: "tool", tool_call_id: "c0", content: "5" }, {
    role: "assistant",
    content: "5.",
  }];
  assert.deepEqual([read(answered)?.final, read(answered)?.calls.at(-1)?.result], ["The plum costs 3.\n\n5.", "5"]);
});

/** Chats that cannot be read, with what is said of them. */
const WRONG: readonly [messages: unknown, says: RegExp][] = [
  [[], /^line 1: messages: /],
  ["x", /^line 1: messages: /],
  [[7], /^line 1: messages\.0: /],
  [[{ role: "bot", content: "x" }], /^line 1: messages\.0\.role: is "bot"; allowed are user, /],
  [[{ content: "x" }], /^line 1: messages\.0\.role: is missing; /],
  [[{ role: "assistant", content: "x" }], /^line 1: messages: no user says anything; give "task", /],
  [
    [{ role: "user", content: "x" }, { role: "tool", tool_call_id: "c9", content: "y" }],
    /^line 1: messages\.1: is a result of "c9", which no call before it has as its id$/,
  ],
  [
    [{ role: "user", content: "x" }, { role: "assistant", tool_calls: [{ id: "c1" }] }],
    /^line 1: messages\.1\.tool_calls\.0: the call has no name$/,
  ],
];

Deno.test("readLog() says which message is wrong, and why", () => {
  for (const [messages, says] of WRONG) {
    const { runs, problems } = readLog(JSON.stringify({ messages }));
    assert.equal(runs.length, 0);
    assert.match(problems.join("\n"), says);
  }
});

Deno.test("readLog() reads a logged call of OpenAI's responses, and says what a saved response lacks", () => {
  const [user, ...output] = SHAPES.get("OpenAI, responses") ?? [];
  for (const input of [ASKED, [user]]) {
    const { runs, problems, ignored } = readLog(JSON.stringify({ input, output, model: "m" }));
    assert.deepEqual([problems, [...ignored]], [[], []]);
    assert.deepEqual(runs.map(({ task, final, calls }) => [task, final, calls.length]), [[ASKED, SAID, 1]]);
  }
  const saved = { id: "r", object: "response", output };
  assert.match(
    readLog(JSON.stringify(saved)).problems.join(),
    /^line 1: output: no user says anything; give the "input"/,
  );
  assert.equal(readLog(JSON.stringify({ ...saved, task: ASKED })).runs[0]?.task, ASKED);
});

Deno.test("readLog() knows the key in which Anthropic keeps what the model was told", () => {
  const { runs, ignored } = readLog(JSON.stringify({ system: "Be brief.", messages: SHAPES.get("Anthropic") }));
  assert.deepEqual([runs.length, [...ignored]], [1, []]);
});
