import assert from "node:assert/strict";
import { sleep, VirtualClock } from "../../core/mod.ts";
import { append, type CompileOptions, END, graph, type RunOptions, send, START } from "./mod.ts";
import { run } from "./testdata/run.ts";

/** Workers that take as long as they are told, then a second round. */
const rounds = (delays: readonly number[], options: CompileOptions) =>
  graph({ notes: append<string>() })
    .node("worker", async (_state, { clock, payload, task, signal }) => {
      await sleep(clock, Number(payload), signal);
      return { notes: [task] };
    })
    .node("after", () => ({ notes: ["after"] }))
    .branch(START, () => delays.map((ms) => send("worker", ms)))
    .edge("worker", "after").edge("after", END)
    .compile(options);

const brief = (failures: readonly { task: string; code: string }[]) =>
  failures.map(({ task, code }) => `${task} ${code}`);

Deno.test("run() ends at its deadline with the results that are there", async () => {
  const result = await run(rounds([10, 900, 20, 800], { deadlineMs: 100 }), {});
  assert.equal(result.status, "deadline");
  assert.deepEqual(result.state.notes, ["worker#1", "worker#3"]);
  assert.deepEqual(brief(result.failures), ["worker#2 timeout", "worker#4 timeout"]);
  assert.equal(result.failures[0]?.detail, "the run's deadline of 100 ms has passed");
  assert.deepEqual(result.notStarted, []);
});

Deno.test("run() ends when it is called off, with the caller's reason", async () => {
  const clock = new VirtualClock();
  const reasons: unknown[] = [];
  await clock.run(async () => {
    const controller = new AbortController();
    clock.after(50, () => controller.abort(new Error("the caller left")));
    const waiting = graph({ notes: append<string>() })
      .node("wait", (_state, { signal }) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason.message));
        return new Promise<void>(() => {});
      })
      .edge(START, "wait").edge("wait", END).compile();
    const result = await waiting.run({}, { clock, signal: controller.signal });
    assert.equal(clock.now(), 50);
    assert.equal(result.status, "cancelled");
    assert.deepEqual(brief(result.failures), ["wait cancelled"]);
    assert.match(result.failures[0]?.detail ?? "", /the caller left/);
  });
  assert.deepEqual(reasons, ["the caller left"]);
});

Deno.test("run() begins nothing when it is called off before it begins", async () => {
  const result = await run(rounds([1, 2], {}), {}, { signal: AbortSignal.abort("no") });
  assert.deepEqual([result.status, result.supersteps, result.failures], ["cancelled", 0, []]);
  assert.deepEqual(brief(result.notStarted), ["worker#1 not_started", "worker#2 not_started"]);
});

Deno.test("run() lists the tasks that it had not begun when a sibling ended the run", async () => {
  const controller = new AbortController();
  const abrupt = graph({ notes: append<string>() })
    .node("worker", (_state, { payload }) => {
      if (payload === 2) controller.abort("enough");
      return { notes: [`${payload}`] };
    })
    .branch(START, () => [1, 2, 3, 4].map((n) => send("worker", n)))
    .edge("worker", END).compile();
  const result = await run(abrupt, {}, { signal: controller.signal });
  assert.equal(result.status, "cancelled");
  assert.deepEqual(result.state.notes, ["1"]);
  assert.deepEqual(brief(result.failures), ["worker#2 cancelled"]);
  assert.deepEqual(brief(result.notStarted), ["worker#3 not_started", "worker#4 not_started"]);
});

Deno.test("run() stops at its step cap and lists what was to come", async () => {
  const result = await run(rounds([5], { stepCap: 1 }), {});
  assert.deepEqual([result.status, result.supersteps], ["step_cap", 1]);
  assert.deepEqual(result.state.notes, ["worker#1"]);
  assert.deepEqual(brief(result.notStarted), ["after not_started"]);
  assert.equal(result.notStarted[0]?.superstep, 2);
});

Deno.test("run() is done when its last superstep is its last allowed one", async () => {
  assert.equal((await run(rounds([5], { stepCap: 2 }), {})).status, "done");
});

Deno.test("run() meets its deadline though microtasks starve the clock's timers", async () => {
  let ms = 0;
  const clock: RunOptions["clock"] = { kind: "real", now: () => ms++, after: () => ({ cancel() {} }) };
  const busy = graph({ notes: append<string>() })
    .node("spin", async () => await Promise.resolve())
    .edge(START, "spin").edge("spin", "spin").compile({ stepCap: 1_000_000, deadlineMs: 50 });
  const result = await busy.run({}, { clock });
  assert.equal(result.status, "deadline");
  assert.deepEqual(brief(result.notStarted), ["spin not_started"]);
});

Deno.test("run() forgets the caller's signal when it has ended", async () => {
  const counts = { add: 0, remove: 0 };
  const { signal } = new AbortController();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof add>) => (counts.add++, add(...args)),
    removeEventListener: (...args: Parameters<typeof remove>) => (counts.remove++, remove(...args)),
  });
  await run(rounds([5, 6], { deadlineMs: 100 }), {}, { signal });
  assert.deepEqual(counts, { add: 1, remove: 1 });
});

Deno.test("run() gives a node that asks for its signal after the run's end one that is aborted", async () => {
  const clock = new VirtualClock();
  await clock.run(async () => {
    let late: AbortSignal | undefined;
    const deaf = graph({ notes: append<string>() })
      .node("deaf", async (_state, ctx) => {
        await sleep(clock, 500);
        late = ctx.signal;
      })
      .edge(START, "deaf").edge("deaf", END).compile({ deadlineMs: 100 });
    assert.equal((await deaf.run({}, { clock })).status, "deadline");
    await sleep(clock, 1_000);
    assert.equal(late?.reason.name, "DeadlineExceeded");
  });
});
