import assert from "node:assert/strict";
import { CodedError, sleep, VirtualClock } from "../../core/mod.ts";
import { append, END, graph, lastValue, type NodeContext, reducer, send, START } from "./mod.ts";
import { run } from "./testdata/run.ts";

/** Three tasks of which the second does what it is told, then a node that says which failures it sees. */
const trio = (second: (ctx: NodeContext) => unknown, timeoutMs?: number) =>
  graph({ notes: append<string>(), seen: append<string>() })
    .node("good", (_state, { payload }) => ({ notes: [String(payload)] }))
    .node("bad", (_state, ctx) => second(ctx) as void, timeoutMs === undefined ? {} : { timeoutMs })
    .node("after", (_state, { failures }) => ({ seen: failures.map(({ task, code }) => `${task} ${code}`) }))
    .branch(START, () => [send("good", "first"), send("bad", null), send("good", "last")])
    .edge("good", "after").edge("bad", "after").edge("after", END)
    .compile();

const unshowable = Object.defineProperty(new Error(), "message", {
  get() {
    throw new Error("trap");
  },
});

Deno.test("run() turns what a node throws into its failure and keeps its siblings' results", async () => {
  const cases: [string, string, () => unknown][] = [
    ["internal", "Error: boom", () => {
      throw new Error("boom");
    }],
    ["rate_limited", "too often", () => Promise.reject(new CodedError("rate_limited", "too often"))],
    ["internal", "undefined", () => Promise.reject(undefined)],
    ["internal", "it threw something that cannot be shown as text", () => Promise.reject(unshowable)],
    ["internal", 'TypeError: there is no channel "nots"; channels: "notes", "seen"', () => ({ nots: [] })],
    ["internal", 'TypeError: channel "notes" is a list: its update must be an array of items', () => ({ notes: "x" })],
    ["internal", "TypeError: an update must be an object of channel updates, or nothing; got 7", () => 7],
    ["internal", "Error: trap", () => ({
      get notes() {
        throw new Error("trap");
      },
    })],
  ];
  for (const [code, detail, second] of cases) {
    const result = await run(trio(second), {});
    assert.equal(result.status, "done");
    assert.deepEqual(result.state, { notes: ["first", "last"], seen: [`bad#1 ${code}`] });
    assert.deepEqual(result.failures, [{ node: "bad", task: "bad#1", superstep: 1, code, detail }]);
  }
});

Deno.test("run() follows the edges and asks the routers of a failed node", async () => {
  const recover = graph({ path: append<string>() })
    .node("risky", () => {
      throw new CodedError("server_down", "gone");
    })
    .node("fallback", () => ({ path: ["fallback"] }))
    .edge(START, "risky")
    .branch("risky", (_state, { failures }) => failures.at(-1)?.code === "server_down" ? "fallback" : END)
    .edge("fallback", END)
    .compile();
  assert.deepEqual((await run(recover, {})).state.path, ["fallback"]);
});

Deno.test("run() times a node out, aborts its signal and drops what comes late", async () => {
  const clock = new VirtualClock();
  const aborted: string[] = [];
  const late = (ending: "result" | "rejection") =>
    trio(async ({ clock, signal }) => {
      signal.addEventListener("abort", () => aborted.push(`${signal.reason.name} at ${clock.now()}`));
      await sleep(clock, 500); // ignores its signal
      if (ending === "rejection") throw new Error("late");
      return { notes: ["late"] };
    }, 100);
  await clock.run(async () => {
    for (const ending of ["result", "rejection"] as const) {
      const from = clock.now();
      const result = await late(ending).run({}, { clock });
      assert.equal(clock.now(), from + 100);
      await sleep(clock, 1_000);
      assert.deepEqual(result.state.notes, ["first", "last"]);
      const detail = "no result within 100 ms";
      assert.deepEqual(result.failures, [{ node: "bad", task: "bad#1", superstep: 1, code: "timeout", detail }]);
    }
  });
  assert.deepEqual(aborted, ["DeadlineExceeded at 100", "DeadlineExceeded at 1200"]);
});

Deno.test("run() says timeout also of a node that rejects as soon as it is aborted", async () => {
  const result = await run(trio(({ clock, signal }) => sleep(clock, 500, signal), 100), {});
  assert.deepEqual(result.failures.map(({ code }) => code), ["timeout"]);
});

Deno.test("run() gives each task a signal of its own, the same each time, that is quiet after the task", async () => {
  const signals: AbortSignal[] = [];
  const result = await run(
    trio((ctx) => {
      signals.push(ctx.signal, ctx.signal);
    }, 100),
    {},
  );
  assert.equal(result.failures.length, 0);
  assert.equal(signals[0], signals[1]);
  assert.equal(signals[0]?.aborted, false);
});

Deno.test("run() keeps nothing of an update that a reducer refuses", async () => {
  const picky = graph({
    list: append<string>(),
    sum: reducer(0, (now: number, update: number) => {
      if (update < 0) throw new RangeError("negative");
      return now + update;
    }),
    last: lastValue(""),
  })
    .node("add", (_state, { payload }) => ({ list: [`${payload}`], last: `${payload}`, sum: Number(payload) }))
    .branch(START, () => [1, -1, 2, -3].map((n) => send("add", n, { key: `n${n}` })))
    .edge("add", END)
    .compile();
  const { state, failures } = await run(picky, {});
  assert.deepEqual(state, { list: ["1", "2"], sum: 3, last: "2" });
  assert.deepEqual(failures.map(({ task, code }) => [task, code]), [["n-1", "internal"], ["n-3", "internal"]]);
  assert.match(failures[0]?.detail ?? "", /refused by a reducer: RangeError: negative/);
});

Deno.test("run() leaves no rejection unhandled when a node that was called off rejects late", async () => {
  const clock = new VirtualClock();
  const unhandled: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  addEventListener("unhandledrejection", note);
  try {
    await clock.run(async () => {
      const controller = new AbortController();
      clock.after(10, () => controller.abort("stop"));
      const slow = trio(async ({ clock }) => {
        await sleep(clock, 100);
        throw new Error("late");
      });
      const result = await slow.run({}, { clock, signal: controller.signal });
      assert.equal(result.status, "cancelled");
      await sleep(clock, 1_000);
    });
  } finally {
    removeEventListener("unhandledrejection", note);
  }
  assert.deepEqual(unhandled, []);
});

Deno.test("run() leaves a channel alone when its update is undefined", async () => {
  const result = await run(trio(() => ({ notes: undefined })), {});
  assert.deepEqual([result.failures, result.state.notes], [[], ["first", "last"]]);
  const kept = graph({ value: lastValue<string | undefined>("kept") })
    .node("none", () => ({ value: undefined }))
    .edge(START, "none").edge("none", END).compile();
  assert.equal((await run(kept, {})).state.value, "kept");
});
