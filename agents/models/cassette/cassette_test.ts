import assert from "node:assert/strict";
import { CodedError, RealClock, Redactor, VirtualClock } from "../../../core/mod.ts";
import { LiveModelError } from "../live/errors.ts";
import { OverLimit } from "../live/purse.ts";
import type { Model, ModelRequest, ModelTurn } from "../model.ts";
import { recording, TapeWriter } from "./record.ts";
import { ReplayModel } from "./replay.ts";
import { readTape, takeOf } from "./tape.ts";

const SECRET = "hunter2-hunter2";
const redactor = new Redactor(new Map([["db", SECRET]]));
const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 4, costUsd: 0.001 };
const NOTE: ModelTurn = { text: "a rose", calls: [], finish: "stop", usage };
const CALL: ModelTurn = {
  ...{ text: "", finish: "tool_calls", usage },
  calls: [{ id: "c1", name: "orders.find_order", args: { z: 1, a: "first is not last" } }],
};

function asked(...texts: string[]): ModelRequest {
  const messages = texts.map((text, i): ModelRequest["messages"][number] =>
    i % 2 === 0 ? { role: "user", text } : { role: "assistant", text, calls: [] }
  );
  return { agent: "poet", span: "run/poet", system: "You write.", messages, tools: [] };
}

/** A model that says these, one after the other. */
function saying(...said: (ModelTurn | Error)[]): Model {
  let n = 0;
  return {
    next: () => {
      const turn = said[n++];
      return turn instanceof Error || turn === undefined ? Promise.reject(turn) : Promise.resolve(turn);
    },
  };
}

/** Records some requests of a cell, and gives the file. */
async function recorded(model: Model, requests: readonly ModelRequest[], before = ""): Promise<string> {
  let file = before;
  const parts = before === "" ? {} : { parts: readTape(before).parts.keys() };
  const writer = new TapeWriter((line) => file += line, { keys: [], ...parts });
  const clock = new RealClock();
  const options = { writer, cell: "desk", label: "openai:x", redactor, now: () => clock.now() };
  const watched = recording(model, { ...options, onUnwritten: (_agent, why) => assert.fail(why) });
  for (const request of requests) await watched.next(request, new AbortController().signal).catch(() => {});
  return file;
}

function replay(file: string, clock = new VirtualClock()): { model: ReplayModel; clock: VirtualClock } {
  const options = { tape: readTape(file), cell: "desk", label: "openai:x", redactor, secrets: { db: SECRET }, clock };
  return { model: new ReplayModel(options), clock };
}

const signal = () => new AbortController().signal;

Deno.test("a recording gives what was said, to exactly what was asked, in its own order", async () => {
  const file = await recorded(saying(CALL, NOTE, NOTE), [asked("one"), asked("one", "two", "three"), asked("other")]);
  const { model, clock } = replay(file);
  await clock.run(async () => {
    assert.deepEqual(await model.next(asked("other"), signal()), NOTE);
    const turn = await model.next(asked("one"), signal());
    assert.equal(JSON.stringify(turn.calls), JSON.stringify(CALL.calls), "arguments as they were written");
    assert.deepEqual(turn.usage, usage);
    assert.deepEqual(await model.next(asked("one", "two", "three"), signal()), NOTE);
  });
  assert.deepEqual(model.problems(), []);
});

Deno.test("the same asked twice gets the first turn, then the second, and then nothing", async () => {
  const file = await recorded(saying(NOTE, { ...NOTE, text: "another" }), [asked("one"), asked("one")]);
  const { model, clock } = replay(file);
  await clock.run(async () => {
    assert.equal((await model.next(asked("one"), signal())).text, "a rose");
    assert.equal((await model.next(asked("one"), signal())).text, "another");
    await assert.rejects(model.next(asked("one"), signal()), { code: "model_error", status: 404 });
  });
  const [problem] = model.problems();
  assert.match(problem?.what ?? "", /exactly this was asked 3 times, and is recorded 2 times/);
});

for (
  const [what, request, why] of [
    [
      "a message",
      asked("one", "two", "third"),
      /message 3 \(user\) differs at character 3: recorded "three", asked "third"/,
    ],
    [
      "a longer conversation",
      asked("one", "two", "three", "four"),
      /the recording ends before message 4 \(assistant\)/,
    ],
    ["a shorter one", asked("one"), /the conversation ends before message 2 \(assistant\), which is recorded/],
    [
      "a message that goes on",
      asked("one", "two", "three days, tool calls included."),
      /message 3 \(user\) differs at character 6: recorded ends here, asked goes on with " days, tool calls included."$/,
    ],
    [
      "a message that ends earlier",
      asked("one", "two", "thr"),
      /message 3 \(user\) differs at character 4: asked ends here, recorded goes on with "ee"$/,
    ],
    [
      "white space at the end",
      asked("one", "two", "three\n"),
      /message 3 \(user\) differs at character 6: recorded ends here, asked goes on with "\\n"$/,
    ],
    ["a prompt", { ...asked("one"), system: "You sing." }, /the prompt differs at character 5: .*You write.*You sing/],
    [
      "tools",
      { ...asked("one"), tools: [{ name: "a.b", description: "", inputSchema: {} }] },
      /the list of tools differs/,
    ],
    ["an agent", { ...asked("one"), agent: "cook" }, /nothing of this agent is recorded in this cell; there is poet/],
  ] as const
) {
  Deno.test(`a miss says what differs: ${what}`, async () => {
    const { model, clock } = replay(await recorded(saying(NOTE), [asked("one", "two", "three")]));
    await assert.rejects(clock.run(() => model.next(request, signal())));
    const kinds = model.problems().map(({ kind }) => kind);
    assert.deepEqual(kinds, ["miss", "left"]);
    assert.match(model.problems()[0]?.what ?? "", why);
  });
}

Deno.test("a failure is replayed with its status; a call that nobody waited for is waited for again", async () => {
  const failed = Object.assign(new CodedError("rate_limited", "429: later"), { status: 429, retryAfterMs: 2000 });
  const file = await recorded(saying(failed), [asked("one")]);
  const { model, clock } = replay(file);
  const failure = { code: "rate_limited", detail: "429: later", status: 429, retryAfterMs: 2000 };
  await assert.rejects(clock.run(() => model.next(asked("one"), signal())), failure);

  const caller = new AbortController();
  const hangs: Model = { next: () => (caller.abort(new Error("deadline")), Promise.reject(caller.signal.reason)) };
  let gone = "";
  const writer = new TapeWriter((line) => gone += line, { keys: [] });
  const options = { writer, cell: "desk", label: "openai:x", redactor, now: () => 0, onUnwritten: () => assert.fail() };
  await assert.rejects(recording(hangs, options).next(asked("one"), caller.signal), /deadline/);
  const again = replay(gone);
  await again.clock.run(async () => {
    const waiter = new AbortController();
    again.clock.after(3000, () => waiter.abort(new Error("deadline")));
    await assert.rejects(again.model.next(asked("one"), waiter.signal), /deadline/);
  });
  assert.equal(again.clock.now(), 3000);
});

Deno.test("a call that a limit refused is no word of the model's, and is not recorded", async () => {
  const file = await recorded(saying(new OverLimit("budget_cost", "no")), [asked("one")]);
  assert.deepEqual(readTape(file).takes.get(takeOf("desk", "openai:x")), []);
});

Deno.test("of a provider that can be asked nothing no line is written, and what was recorded before still counts", async () => {
  const refused = () => new LiveModelError("model_error", "404: no", { passing: false, free: true, outage: "name" });
  assert.equal(await recorded(saying(refused(), NOTE), [asked("one"), asked("two")]), "");
  const before = await recorded(saying(NOTE), [asked("one")]);
  assert.equal(await recorded(saying(refused()), [asked("one")], before), before);
  const broken = await recorded(saying(NOTE, refused(), NOTE), [asked("one"), asked("two"), asked("three")]);
  assert.equal(readTape(broken).takes.get(takeOf("desk", "openai:x"))?.length, 1, "what was paid for is there");
});

Deno.test("a cell in which nobody was asked is recorded as that when it ends", () => {
  let file = "";
  const writer = new TapeWriter((line) => file += line, { keys: [] });
  const options = { writer, cell: "desk", label: "openai:x", redactor, now: () => 0, onUnwritten: () => assert.fail() };
  const model = recording(saying(), options);
  assert.equal(file, "");
  model.end();
  assert.deepEqual(readTape(file).takes.get(takeOf("desk", "openai:x")), []);
});

Deno.test("no secret is in a recording, and a replay says it all the same", async () => {
  const said = { ...NOTE, text: `the password is ${SECRET}` };
  const file = await recorded(saying(said, NOTE), [asked("one"), asked("one", said.text, "why?")]);
  assert.ok(!file.includes(SECRET));
  const { model, clock } = replay(file);
  await clock.run(async () => {
    assert.equal((await model.next(asked("one"), signal())).text, said.text);
    assert.equal((await model.next(asked("one", said.text, "why?"), signal())).text, NOTE.text);
  });
  assert.deepEqual(model.problems(), []);
});

Deno.test("a key that nobody has taken out is not written: the turn is given, and the cell says why", async () => {
  const key = "key-of-no-known-shape";
  const unwritten: string[] = [];
  let file = "";
  const writer = new TapeWriter((line) => file += line, { keys: [key] });
  const options = { writer, cell: "desk", label: "openai:x", redactor, now: () => 0 };
  const watched = recording(saying({ ...NOTE, text: `my key is ${key}` }), {
    ...options,
    onUnwritten: (agent, why) => unwritten.push(`${agent}: ${why}`),
  });
  assert.match((await watched.next(asked("one"), signal())).text, /my key/);
  assert.deepEqual(unwritten, ["poet: a key of a provider stood in what was to be recorded"]);
  assert.ok(!file.includes(key));
});

Deno.test("a cell that is recorded again replaces what was there; a line that a kill has cut is passed over", async () => {
  const first = await recorded(saying(NOTE, NOTE), [asked("one"), asked("two")]);
  const both = await recorded(saying({ ...NOTE, text: "anew" }), [asked("one")], first);
  assert.equal(both.match(/"type":"part"/g)?.length, readTape(both).parts.size, "each part once");
  assert.deepEqual(readTape(both).takes.get(takeOf("desk", "openai:x"))?.map(({ turn }) => turn?.text), ["anew"]);
  const cut = readTape(both.slice(0, -20));
  assert.deepEqual([cut.isCut, cut.takes.get(takeOf("desk", "openai:x"))?.length], [true, 0]);
});

for (
  const [what, text, why] of [
    ["nothing", "", /line 1: this is no recording/],
    ["something else", '{"type":"run"}\n', /line 1: this is no recording/],
    ["another version", '{"type":"cassette","version":9}\n', /line 1: version 9; this bench reads 1/],
    ["a strange line", '{"type":"cassette","version":1}\n{"type":"song"}\n', /line 2: this is no line/],
    [
      "a turn of a conversation that is not there",
      '{"type":"cassette","version":1}\n{"type":"cell","cell":"a","model":"m"}\n' +
      '{"type":"turn","cell":"a","model":"m","agent":"x","asked":["1","2"],"nth":1,"tookMs":0,"gone":true}\n',
      /line 3: it names a part that no line before it has: 1/,
    ],
  ] as const
) {
  Deno.test(`readTape() refuses ${what}`, () =>
    assert.throws(() => readTape(text), { name: "RangeError", message: why }));
}
