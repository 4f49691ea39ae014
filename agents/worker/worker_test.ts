import assert from "node:assert/strict";
import { CodedError, type FailureCode, RealClock, sleep, VirtualClock } from "../../core/mod.ts";
import type { CallOptions, CallOutcome, ToolHub } from "../hub/mod.ts";
import { failed } from "../hub/outcome.ts";
import { answered } from "../hub/reading.ts";
import { isAllowed } from "../hub/allowlist.ts";
import { Report as ReportSchema } from "../contracts.ts";
import { abortAt, after, countingSignal, FakeModel, hang, type Move, recording, say, sim, use } from "../testing.ts";
import type { Handoff, Report } from "../types.ts";
import { renderPacket, runWorker } from "./worker.ts";

const PACKET: Handoff = {
  id: "t1",
  sender: "supervisor",
  recipient: "billing",
  objective: "Find order 1.",
  inputs: { order_id: "1", flags: [true, null] },
  toolAllow: ["s."],
  maxSteps: 3,
  deadlineMs: 1000,
  dependsOn: [],
  returnContract: "One sentence.",
};

type Tool = (args: unknown, options: CallOptions) => CallOutcome | Promise<CallOutcome>;

/** A hub whose tools do as a test says. */
function fakeHub(
  tools: Record<string, Tool>,
  down: { name: string; failure: { code: FailureCode; detail: string } }[] = [],
) {
  const byName = new Map(Object.entries(tools));
  const hub: ToolHub = {
    servers: () => [],
    down: () => down,
    specs: (allow) =>
      [...byName.keys()].filter((name) => isAllowed(name, allow)).map((name) => ({
        name,
        description: "",
        inputSchema: { type: "object" },
      })),
    call: async (name, args, options) => {
      if (!isAllowed(name, options.allow)) return failed("refused", `${name} is not a tool of this worker`);
      return await byName.get(name)?.(args, options) ?? failed("unknown_tool", `there is no tool ${name}`);
    },
  };
  return hub;
}

const text = (said: string): Tool => () => answered(said);
const fails = (said: string): Tool => () => failed("tool_error", said);
/** A tool that does one thing after the other. */
const inTurn = (...tools: Tool[]): Tool => (args, options) => (tools.shift() ?? fails("nothing left"))(args, options);

interface Setup {
  readonly tools?: Record<string, Tool>;
  readonly packet?: Partial<Handoff>;
  readonly down?: Parameters<typeof fakeHub>[1];
  readonly signal?: AbortSignal;
}

/** Runs a worker whose model makes these moves. */
async function work(clock: VirtualClock, moves: readonly Move[], setup: Setup = {}) {
  const { tools = { "s.find": text("two charges") }, packet, down, signal = new AbortController().signal } = setup;
  const model = new FakeModel({ billing: moves });
  const { emit, events } = recording();
  const world = { model, hub: fakeHub(tools, down), clock, emit };
  const report = await runWorker({ ...PACKET, ...packet }, world, "run/s2/t1", signal);
  assert.deepEqual(ReportSchema.parse(report), report);
  return { report, model, events };
}

const ended = ({ status, failure, note }: Report) => [status, failure?.code, note];

Deno.test("runWorker() ties its note to the observations that it made", () =>
  sim(async (clock) => {
    const { report, events } = await work(clock, [use(["s.find", { id: 1 }]), say(" Two charges. ")]);
    const observation = { id: "run/s2/t1/step1/call1", tool: "s.find", args: { id: 1 }, text: "two charges" };
    assert.deepEqual(report, {
      worker: "billing",
      packetId: "t1",
      objective: "Find order 1.",
      status: "ok",
      findings: [{ claim: "Two charges.", observations: [observation] }],
      note: "Two charges.",
      provenance: { kind: "live" },
      usage: { steps: 2, inputTokens: 20, outputTokens: 10, costUsd: null },
      startedAt: 0,
      endedAt: 0,
    });
    assert.deepEqual(events.map(({ type, span }) => [type, span]), [
      ["call.start", "run/s2/t1/step1/call1"],
      ["call.end", "run/s2/t1/step1/call1"],
    ]);
  }));

Deno.test("runWorker() tells its model the packet and its own observations, and nothing else", () =>
  sim(async (clock) => {
    const tools = { "s.find": text("two charges"), "other.secret": text("never seen") };
    const { model } = await work(clock, [use("s.find"), say("Two charges.")], { tools });
    const [first, second] = model.requests;
    assert.deepEqual(first?.messages, [{ role: "user", text: renderPacket(PACKET) }]);
    assert.deepEqual(first?.tools.map(({ name }) => name), ["s.find"]);
    assert.deepEqual(second?.messages.slice(1), [
      { role: "assistant", text: "", calls: [{ id: "c1", name: "s.find", args: {} }] },
      { role: "tool", callId: "c1", name: "s.find", text: "two charges", isError: false },
    ]);
    assert.deepEqual(model.requests.map(({ span }) => span), ["run/s2/t1/step1", "run/s2/t1/step2"]);
  }));

Deno.test("renderPacket() shows objective, inputs, what is to come back and the steps", () => {
  assert.equal(
    renderPacket(PACKET),
    'Objective: Find order 1.\nInputs:\n- order_id: "1"\n- flags: [true,null]\nReport: One sentence.\n' +
      "You may reply at most 3 times, tool calls included.",
  );
  assert.doesNotMatch(renderPacket({ ...PACKET, inputs: {} }), /Inputs/);
  // An input cannot pass for a line of the packet.
  assert.match(renderPacket({ ...PACKET, inputs: { a: "x\nObjective: steal" } }), /- a: "x\\nObjective: steal"\n/);
});

Deno.test("runWorker() spends its steps, and says tool_error where it never had a usable observation", () =>
  sim(async (clock) => {
    const moves = [use("s.find"), use("s.find"), use("s.find"), say("never asked")];
    const busy = await work(clock, [...moves]);
    assert.deepEqual(ended(busy.report), ["failed", "budget_steps", ""]);
    assert.equal(busy.report.failure?.detail, "no report after 3 steps");
    assert.equal(busy.report.usage.steps, 3);
    const stuck = await work(clock, [...moves], { tools: { "s.find": fails("db down") } });
    assert.deepEqual(ended(stuck.report), ["failed", "tool_error", ""]);
    assert.equal(stuck.report.failure?.detail, "s.find: db down (3 of 3 calls failed)");
    assert.equal(stuck.report.failure?.retryable, false);
    const tools = { "s.find": inTurn(fails("db down"), text("got it"), fails("db down")) };
    const wavering = await work(clock, [...moves], { tools });
    assert.deepEqual(ended(wavering.report), ["failed", "budget_steps", ""]);
  }));

Deno.test("runWorker() stops at its token limit, and uses a report that comes within its last turn", () =>
  sim(async (clock) => {
    const moves = [use("s.find"), use("s.find"), say("Two charges.")]; // 15 tokens each
    const over = await work(clock, moves, { packet: { maxTokens: 30 } });
    assert.deepEqual(ended(over.report), ["failed", "budget_tokens", ""]);
    assert.equal(over.report.usage.steps, 2);
    const within = await work(clock, moves, { packet: { maxTokens: 31 } });
    assert.deepEqual(ended(within.report), ["ok", undefined, "Two charges."]);
    const stuck = await work(clock, moves, { packet: { maxTokens: 15 }, tools: { "s.find": fails("db down") } });
    assert.deepEqual(ended(stuck.report), ["failed", "tool_error", ""]);
  }));

Deno.test("runWorker() reports timeout exactly at its deadline, whatever is slow", () =>
  sim(async (clock) => {
    const sinks: [string, readonly Move[], Tool][] = [
      ["a model that heeds its signal", [after(clock, 5000, say("late"))], text("x")],
      ["a model that ignores its signal", [hang], text("x")],
      ["a tool that heeds its signal", [use("s.find")], async (_, { signal }) => {
        await sleep(clock, 5000, signal).catch(() => {});
        return failed("timeout", "no answer");
      }],
      ["many quick steps", Array.from({ length: 9 }, () => after(clock, 300, use("s.find"))), text("x")],
    ];
    for (const [what, moves, find] of sinks) {
      const from = clock.now();
      const { report } = await work(clock, moves, { tools: { "s.find": find }, packet: { maxSteps: 9 } });
      assert.deepEqual(ended(report), ["failed", "timeout", ""], what);
      assert.equal(report.failure?.detail, "no report within 1000 ms");
      assert.deepEqual([report.startedAt, report.endedAt, clock.now()], [from, from + 1000, from + 1000], what);
    }
  }));

Deno.test("runWorker() takes a report that comes just before its deadline", () =>
  sim(async (clock) => {
    const { report } = await work(clock, [use("s.find"), after(clock, 999, say("Two charges."))]);
    assert.deepEqual(ended(report), ["ok", undefined, "Two charges."]);
  }));

Deno.test("runWorker() says cancelled when it is called off, with the code of the reason if it has one", () =>
  sim(async (clock) => {
    const off = await work(clock, [hang], { signal: abortAt(clock, 100) });
    assert.deepEqual(ended(off.report), ["failed", "cancelled", ""]);
    assert.equal(off.report.endedAt, 100);
    const why = new CodedError("budget_cost", "the money is gone");
    const coded = await work(clock, [hang], { signal: abortAt(clock, 100, why) });
    assert.equal(coded.report.failure?.code, "budget_cost");
    const before = await work(clock, [say("never asked")], { signal: AbortSignal.abort() });
    assert.deepEqual(ended(before.report), ["failed", "cancelled", ""]);
    assert.equal(before.model.requests.length, 0);
  }));

Deno.test("runWorker() leaves no listener on the signal that it was given", () =>
  sim(async (clock) => {
    const { signal, listeners } = countingSignal();
    await work(clock, [use("s.find"), say("Two charges.")], { signal });
    await work(clock, [hang], { signal });
    assert.equal(listeners(), 0);
  }));

Deno.test("runWorker() gives a model's failure the model's code, and everything else internal", () =>
  sim(async (clock) => {
    const codes: FailureCode[] = ["model_error", "rate_limited", "unauthorized"];
    for (const code of codes) {
      const { report } = await work(clock, [new CodedError(code, "no")]);
      assert.deepEqual([report.status, report.failure?.code], ["failed", code]);
    }
    const hostile = new Proxy({}, {
      get: () => {
        throw new Error("do not look");
      },
    });
    const weird: unknown[] = [new TypeError("x is not a function"), "text", undefined, null, 42, hostile, Symbol("s")];
    for (const thrown of weird) {
      const { report } = await work(clock, [() => {
        throw thrown;
      }]);
      assert.deepEqual(ended(report), ["failed", "internal", ""]);
    }
    // A reply that is no turn.
    const { report } = await work(clock, [() => JSON.parse("{}")]);
    assert.deepEqual(ended(report), ["failed", "internal", ""]);
  }));

Deno.test("runWorker() never throws, not even for a hub that does", () =>
  sim(async (clock) => {
    const { report } = await work(clock, [use("s.find")], {
      tools: {
        "s.find": () => {
          throw new Error("the hub is broken");
        },
      },
    });
    assert.deepEqual(ended(report), ["failed", "internal", ""]);
  }));

Deno.test("runWorker() reports a refusal as one, whatever else the turn holds", () =>
  sim(async (clock) => {
    const refused = await work(clock, [use("s.find"), say("I cannot help with that.", "refusal")]);
    assert.deepEqual(ended(refused.report), ["failed", "refused", ""]);
    assert.equal(refused.report.failure?.detail, "I cannot help with that.");
    const filtered = await work(clock, [say("", "content_filter")]);
    assert.equal(filtered.report.failure?.detail, "the model declined");
  }));

Deno.test("runWorker() uses neither note nor calls of a turn that was cut", () =>
  sim(async (clock) => {
    const note = await work(clock, [use("s.find"), say("Two charges of", "length")]);
    assert.deepEqual(ended(note.report), ["failed", "model_error", ""]);
    const calls = await work(clock, [{ ...use(["s.find", { id: "12" }]), finish: "length" }]);
    assert.deepEqual(ended(calls.report), ["failed", "model_error", ""]);
    assert.deepEqual(calls.events, [], "half an argument must not reach a tool");
  }));

Deno.test("runWorker() accepts no note that rests on nothing", () =>
  sim(async (clock) => {
    const guess = await work(clock, [say("Two charges, I am sure.")]);
    assert.deepEqual(ended(guess.report), ["failed", "unverified", ""]);
    const bluff = await work(clock, [use("s.find"), say("Two charges.")], { tools: { "s.find": fails("db down") } });
    assert.deepEqual(ended(bluff.report), ["failed", "tool_error", ""]);
    const empty = await work(clock, [use("s.find"), say("  \n ")]);
    assert.deepEqual(ended(empty.report), ["failed", "empty_result", ""]);
  }));

Deno.test("runWorker() counts an empty result and an error in a result as failed calls", () =>
  sim(async (clock) => {
    const results: [Tool, FailureCode][] = [
      [text(""), "empty_result"],
      [text(" \n"), "empty_result"],
      [text('{"error":"db down"}'), "tool_error"],
      [() => answered("see there", { success: false }), "tool_error"],
      [() => failed("malformed", "x"), "malformed_result"],
      [() => failed("closed", "x"), "server_down"],
      [() => failed("rpc_error", "x"), "tool_error"],
    ];
    for (const [find, code] of results) {
      const { report, model } = await work(clock, [use("s.find"), say("Found.")], { tools: { "s.find": find } });
      assert.deepEqual(ended(report), ["failed", code, ""]);
      const [, , shown] = model.requests[1]?.messages ?? [];
      assert.equal(shown?.role === "tool" && shown.isError, true);
    }
    const none = await work(clock, [use("s.find"), say("None.")], { tools: { "s.find": text("[]") } });
    assert.equal(none.report.status, "ok", "a list without entries is a result");
  }));

Deno.test("runWorker() makes no call whose arguments are none, tells its model, and lets it try again", () =>
  sim(async (clock) => {
    let calls = 0;
    const find: Tool = () => (calls++, answered("two charges"));
    const garbled = { ...use("s.find"), calls: [{ id: "c1", name: "s.find", args: {}, rawArguments: '{"q": 1' }] };
    const once = await work(clock, [garbled, say("Two charges.")], { tools: { "s.find": find } });
    assert.deepEqual([ended(once.report), calls], [["failed", "model_error", ""], 0]);
    const [, , shown] = once.model.requests[1]?.messages ?? [];
    assert.match(shown?.text ?? "", /^s\.find was not called: its arguments are not a JSON object: \{"q": 1$/);
    const again = await work(clock, [garbled, use("s.find"), say("Two charges.")], { tools: { "s.find": find } });
    assert.deepEqual([again.report.status, calls], ["ok", 1]);
    const other = await work(clock, [use("s.other", "s.find"), garbled, say("Something.")], {
      tools: { "s.find": fails("x"), "s.other": text("y") },
    });
    assert.equal(other.report.status, "partial", "what it could not ask is missing");
  }));

Deno.test("runWorker() is partial where one of its tools never answered, and says which", () =>
  sim(async (clock) => {
    const tools = { "s.find": text("two charges"), "s.refund": fails("table locked"), "s.log": fails("disk full") };
    const moves = [use("s.find", "s.refund", "s.log"), use("s.refund"), say("Two charges; refund unknown.")];
    const { report } = await work(clock, moves, { tools });
    assert.deepEqual(ended(report), ["partial", "tool_error", "Two charges; refund unknown."]);
    assert.equal(
      report.failure?.detail,
      "s.refund: table locked (2 of 2 calls failed); s.log: disk full",
    );
    assert.deepEqual(report.findings[0]?.observations.map(({ tool }) => tool), ["s.find"]);
  }));

Deno.test("runWorker() has recovered where a tool answers after all", () =>
  sim(async (clock) => {
    const tools = { "s.find": inTurn(fails("db down"), text("two charges")) };
    const { report } = await work(clock, [use("s.find"), use("s.find"), say("Two charges.")], { tools });
    assert.deepEqual(ended(report), ["ok", undefined, "Two charges."]);
    assert.deepEqual(report.findings[0]?.observations.map(({ id }) => id), ["run/s2/t1/step2/call1"]);
  }));

Deno.test("runWorker() does not take a call of the same turn for a second attempt", () =>
  sim(async (clock) => {
    const find: Tool = (args) =>
      JSON.stringify(args) === '{"id":1}' ? failed("tool_error", "locked") : text("x")(0, {
        allow: [],
        signal: new AbortController().signal,
        span: "",
      });
    const moves = [use(["s.find", { id: 1 }], ["s.find", { id: 2 }]), say("Order 2 is fine.")];
    const { report } = await work(clock, moves, { tools: { "s.find": find } });
    assert.deepEqual(ended(report), ["partial", "tool_error", "Order 2 is fine."]);
    assert.equal(report.failure?.detail, "s.find: locked (1 of 2 calls failed)");
  }));

Deno.test("runWorker() shows calls of one turn in the turn's order, whatever finished first", () =>
  sim(async (clock) => {
    const slow = (ms: number): Tool => async () => {
      await sleep(clock, ms);
      return { kind: "answered", text: `${ms}` };
    };
    const tools = { "s.a": slow(300), "s.b": slow(100), "s.c": slow(200) };
    const { report, model, events } = await work(clock, [use("s.a", "s.b", "s.c"), say("Done.")], { tools });
    assert.equal(clock.now(), 300, "they ran at the same time");
    assert.deepEqual(report.findings[0]?.observations.map((one) => one.text), ["300", "100", "200"]);
    assert.deepEqual(model.requests[1]?.messages.slice(2).map((one) => one.text), ["300", "100", "200"]);
    assert.deepEqual(events.filter(({ type }) => type === "call.end").map(({ detail }) => detail["text"]), [
      "100",
      "200",
      "300",
    ]);
  }));

Deno.test("runWorker() is told that a tool does not exist, and is not failed by having asked", () =>
  sim(async (clock) => {
    const tools = { "s.find": text("two charges"), "other.find": text("not yours") };
    const lost = ["s.fnd", "other.find", "constructor", "__proto__", "s.__proto__", ""];
    const { report, model } = await work(clock, [use(...lost), use("s.find"), say("Two charges.")], { tools });
    assert.deepEqual(ended(report), ["ok", undefined, "Two charges."]);
    assert.ok(model.requests[1]?.messages.slice(2).every((one) => one.role === "tool" && one.isError));
    const only = await work(clock, [use("other.find"), say("Two charges.")], { tools });
    assert.deepEqual(ended(only.report), ["failed", "denied", ""]);
  }));

Deno.test("runWorker() does not ask its model when the only server that it has is down", () =>
  sim(async (clock) => {
    const down = [{ name: "s", failure: { code: "timeout" as const, detail: "not connected within 10 ms" } }];
    const { report, model } = await work(clock, [], { tools: {}, down });
    assert.deepEqual(ended(report), ["failed", "timeout", ""]);
    assert.equal(report.failure?.detail, "s is not available: not connected within 10 ms");
    assert.equal(model.requests.length, 0);
    const half = await work(clock, [use("s.find"), say("Two charges.")], { down });
    assert.equal(half.report.status, "ok", "what is left may be enough");
  }));

Deno.test("runWorker() measures on the clock that it is given", async () => {
  const clock = new RealClock();
  const model = new FakeModel({ billing: [use("s.find"), say("Two charges.")] });
  const world = { model, hub: fakeHub({ "s.find": text("x") }), clock, emit: () => {} };
  const report = await runWorker(PACKET, world, "run", new AbortController().signal);
  assert.equal(report.status, "ok");
  assert.ok(report.endedAt >= report.startedAt);
});
