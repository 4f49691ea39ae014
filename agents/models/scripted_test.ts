import assert from "node:assert/strict";
import { CodedError } from "../../core/mod.ts";
import { abortAt, sim } from "../testing.ts";
import type { ModelRequest } from "./model.ts";
import { ScriptedModel, type ScriptedTurn } from "./scripted.ts";

const never = new AbortController().signal;
const ask = (agent: string, request: Partial<ModelRequest> = {}): ModelRequest => ({
  agent,
  span: "run",
  system: "",
  messages: [],
  tools: [],
  ...request,
});
const script = (turns: Record<string, ScriptedTurn[]>) => new Map(Object.entries(turns));

Deno.test("ScriptedModel plays each agent's turns in order, whoever else is asked", () =>
  sim(async (clock) => {
    const model = new ScriptedModel(script({ a: [{ text: "1" }, { text: "2" }], b: [{ text: "3" }] }), clock);
    const texts = [];
    for (const agent of ["a", "b", "a"]) texts.push((await model.next(ask(agent), never)).text);
    assert.deepEqual(texts, ["1", "3", "2"]);
    assert.deepEqual(model.problems(), []);
  }));

Deno.test("ScriptedModel gives calls ids of their own and finishes as a model would", () =>
  sim(async (clock) => {
    const calls = [{ name: "s.a", args: {} }, { name: "s.b", args: { x: 1 } }];
    const turns = [{ calls }, { text: "done" }, { text: "cut", finish: "length" as const }];
    const model = new ScriptedModel(script({ a: turns }), clock);
    const first = await model.next(ask("a"), never);
    assert.deepEqual(first.calls, [{ id: "1.1", name: "s.a", args: {} }, { id: "1.2", name: "s.b", args: { x: 1 } }]);
    assert.equal(first.finish, "tool_calls");
    assert.equal((await model.next(ask("a"), never)).finish, "stop");
    assert.equal((await model.next(ask("a"), never)).finish, "length");
  }));

Deno.test("ScriptedModel refuses a call that the script does not foresee, and reports it", () =>
  sim(async (clock) => {
    const model = new ScriptedModel(script({ a: [{ text: "1" }] }), clock);
    await model.next(ask("a"), never);
    for (const agent of ["a", "stranger", "constructor", "__proto__"]) {
      await assert.rejects(model.next(ask(agent), never), (error) => {
        assert.ok(error instanceof CodedError);
        return error.code === "model_error";
      });
    }
    assert.deepEqual(model.problems(), [
      { kind: "exhausted", agent: "a", turns: 1, played: 1 },
      { kind: "unscripted", agent: "stranger", turns: 0, played: 0 },
      { kind: "unscripted", agent: "constructor", turns: 0, played: 0 },
      { kind: "unscripted", agent: "__proto__", turns: 0, played: 0 },
    ]);
  }));

Deno.test("ScriptedModel reports turns that nobody asked for", () =>
  sim(async (clock) => {
    const model = new ScriptedModel(script({ a: [{ text: "1" }, { text: "2" }], b: [{}], none: [] }), clock);
    await model.next(ask("a"), never);
    assert.deepEqual(model.problems(), [
      { kind: "unconsumed", agent: "a", turns: 2, played: 1 },
      { kind: "unconsumed", agent: "b", turns: 1, played: 0 },
    ]);
  }));

Deno.test("ScriptedModel, lenient, repeats the last turn under new call ids, and minds no turn that is left", () =>
  sim(async (clock) => {
    const calls = [{ name: "s.a", args: {} }];
    const turns = script({ a: [{ text: "1" }, { text: "2", calls, takesMs: 5 }], b: [{}], none: [] });
    const model = new ScriptedModel(turns, clock, { playback: "lenient" });
    const made = [];
    for (let i = 0; i < 4; i++) made.push(await model.next(ask("a"), never));
    assert.deepEqual(made.map(({ text, calls }) => [text, calls[0]?.id]), [
      ["1", undefined],
      ["2", "2.1"],
      ["2", "3.1"],
      ["2", "4.1"],
    ]);
    assert.equal(clock.now(), 15);
    assert.deepEqual(model.problems(), []);
    await assert.rejects(model.next(ask("none"), never));
    assert.deepEqual(model.problems(), [{ kind: "unscripted", agent: "none", turns: 0, played: 0 }]);
  }));

Deno.test("ScriptedModel, lenient, plays another attempt at the same as it played the first, and other work after it", () =>
  sim(async (clock) => {
    const turns = script({ a: ["1", "2", "3", "4"].map((text) => ({ text })) });
    const said = async (model: ScriptedModel, work: string, opening: string) => {
      const messages = [{ role: "user" as const, text: opening }];
      return (await model.next(ask("a", { span: `run/${work}/step1`, messages }), never)).text;
    };
    const works = [["s2", "x"], ["s2", "x"], ["s4", "x"], ["s4", "x"], ["s5", "y"], ["s6", "y"]] as const;
    for (
      const [playback, expected] of [
        ["lenient", ["1", "2", "1", "2", "3", "3"]],
        ["strict", ["1", "2", "3", "4"]],
      ] as const
    ) {
      const model = new ScriptedModel(turns, clock, { playback });
      const heard = [];
      for (const [work, opening] of works.slice(0, expected.length)) heard.push(await said(model, work, opening));
      assert.deepEqual(heard, expected);
    }
  }));

Deno.test("ScriptedModel says a value that must have been seen only where a tool result has it", () =>
  sim(async (clock) => {
    const turns = [{ text: "A-1 and B-2." }, { text: "A-1 and B-2." }];
    const model = new ScriptedModel(script({ a: turns }), clock, { onlyIfSeen: ["A-1", "B-2"] });
    const result = (text: string, isError: boolean) => ({
      role: "tool" as const,
      callId: "1",
      name: "t",
      text,
      isError,
    });
    const messages = [result("it is A-1", false), result("B-2 is malformed", true)];
    assert.equal((await model.next(ask("a", { messages }), never)).text, "A-1 and (not seen).");
    assert.equal((await model.next(ask("a"), never)).text, "(not seen) and (not seen).");
  }));

Deno.test("ScriptedModel takes its time on the clock, and stops when it is called off", () =>
  sim(async (clock) => {
    const model = new ScriptedModel(script({ a: [{ text: "1", takesMs: 300 }, { text: "2", takesMs: 300 }] }), clock);
    await model.next(ask("a"), never);
    assert.equal(clock.now(), 300);
    await assert.rejects(model.next(ask("a"), abortAt(clock, 50)), /enough/);
    assert.equal(clock.now(), 350);
  }));

Deno.test("ScriptedModel estimates tokens at four characters each, of all that was said", () =>
  sim(async (clock) => {
    const calls = [{ name: "s.a", args: { x: 1 } }]; // 3 + 7 characters
    const model = new ScriptedModel(script({ a: [{ text: "12345", calls }, {}] }), clock);
    const first = await model.next(ask("a", { system: "12345", messages: [{ role: "user", text: "1234" }] }), never);
    assert.deepEqual(first.usage, { inputTokens: 3, outputTokens: 4 });
    const messages: ModelRequest["messages"] = [
      { role: "assistant", text: first.text, calls: first.calls },
      { role: "tool", callId: "1.1", name: "s.a", text: "123456", isError: false },
    ];
    const second = await model.next(ask("a", { messages }), never);
    assert.deepEqual(second.usage, { inputTokens: 6, outputTokens: 0 });
  }));

Deno.test("ScriptedModel says no more than it may, makes no call that was cut, and says that it was", () =>
  sim(async (clock) => {
    const calls = [{ name: "s.a", args: { x: 1 } }];
    const model = new ScriptedModel(
      script({ a: [{ text: "123456789" }, { text: "1234" }, { text: "12345678", calls }] }),
      clock,
    );
    const cut = await model.next(ask("a", { maxOutputTokens: 2 }), never);
    assert.deepEqual([cut.text, cut.finish, cut.usage.outputTokens], ["12345678", "length", 2]);
    const fits = await model.next(ask("a", { maxOutputTokens: 1 }), never);
    assert.deepEqual([fits.text, fits.finish], ["1234", "stop"]);
    const half = await model.next(ask("a", { maxOutputTokens: 3 }), never);
    assert.deepEqual([half.calls, half.finish], [[], "length"]);
  }));

Deno.test("ScriptedModel makes a report of what its conversation has, and gives calls the ids that the script wants", () =>
  sim(async (clock) => {
    const twice = [{ id: "same", name: "s.a", args: {} }, { id: "same", name: "s.a", args: {} }];
    const model = new ScriptedModel(script({ a: [{ calls: twice }, { reportFrom: ["s.a"] }] }), clock);
    assert.deepEqual((await model.next(ask("a"), never)).calls.map(({ id }) => id), ["same", "same"]);
    const messages: ModelRequest["messages"] = [
      { role: "tool", callId: "same", name: "s.a", text: '{"findings": [{"message": "m"}]}', isError: false },
    ];
    const { text, finish } = await model.next(ask("a", { messages }), never);
    assert.deepEqual([text, finish], ['{"findings":[{"claim":"m"}]}', "stop"]);
  }));

Deno.test("ScriptedModel plays a conversation that begins again from where it began, and no other", () =>
  sim(async (clock) => {
    const turns = ["1", "2", "3", "4"].map((text) => ({ text }));
    const model = new ScriptedModel(script({ a: turns }), clock);
    const say = async (span: string) => (await model.next(ask("a", { span }), never)).text;
    assert.deepEqual([await say("run/x/step1"), await say("run/x/step2"), await say("run/y/step1")], ["1", "2", "3"]);
    model.resume();
    assert.deepEqual([await say("run/y/step1"), await say("run/y/step2")], ["3", "4"]);
    model.resume();
    assert.deepEqual([await say("run/y/step1"), await say("run/y/step2")], ["3", "4"], "as often as it is killed");
    assert.deepEqual(model.problems(), []);
    await assert.rejects(say("run/y/step3"), { code: "model_error" });
  }));

Deno.test("ScriptedModel gives each of two conversations of one agent its own turns again, however they were mixed", () =>
  sim(async (clock) => {
    const turns = ["1", "2", "3", "4"].map((text) => ({ text }));
    const model = new ScriptedModel(script({ a: turns }), clock);
    const say = async (span: string) => (await model.next(ask("a", { span }), never)).text;
    for (const span of ["run/x/step1", "run/y/step1", "run/x/step2", "run/y/step2"]) await say(span);
    model.resume();
    const again = [];
    for (const span of ["run/y/step1", "run/y/step2", "run/x/step1", "run/x/step2"]) again.push(await say(span));
    assert.deepEqual(again, ["2", "4", "1", "3"]);
  }));

for (
  const [again, wanted] of [
    ["next", ["1", "2", "3", "4", "4", "4"]],
    ["same", ["1", "1", "2", "3", "1", "4"]],
  ] as const
) {
  Deno.test(`ScriptedModel, stateless, finds a call's place by what it holds; asked the same, it plays the ${again} turn`, () =>
    sim(async (clock) => {
      const turns = script({ a: [{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }] });
      const model = new ScriptedModel(turns, clock, { playback: "stateless", again });
      const said = async (opening: string, turnsBefore: number) => {
        const own = Array.from({ length: turnsBefore }, () => ({ role: "assistant" as const, text: "", calls: [] }));
        // As strangers' calls come: no span tells one conversation from another.
        return (await model.next(ask("a", { messages: [{ role: "user", text: opening }, ...own] }), never)).text;
      };
      const texts = [await said("first", 0), await said("first", 0), await said("first", 1)];
      if (again === "same") {
        assert.deepEqual(model.problems(), [{ kind: "unconsumed", agent: "a", turns: 4, played: 2 }]);
      }
      texts.push(await said("second", 0), await said("first", again === "same" ? 0 : 2), await said("second", 5));
      assert.deepEqual(texts, wanted);
      assert.deepEqual(model.problems(), []);
    }));
}

Deno.test("ScriptedModel, stateless, says a value where any message but its own has it", () =>
  sim(async (clock) => {
    const turns = script({ a: [{ text: "It is ORD-7731." }] });
    const said = async (text: string, ...more: ModelRequest["messages"]) => {
      const model = new ScriptedModel(turns, clock, { playback: "stateless", onlyIfSeen: ["ORD-7731"] });
      return (await model.next(ask("a", { messages: [{ role: "user", text }, ...more] }), never)).text;
    };
    assert.equal(await said("Sum this up: ORD-7731."), "It is ORD-7731.");
    assert.equal(await said("Sum this up."), "It is (not seen).");
    assert.equal(await said("Sum this up.", { role: "assistant", text: "ORD-7731", calls: [] }), "It is (not seen).");
  }));
