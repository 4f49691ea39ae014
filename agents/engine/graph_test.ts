import assert from "node:assert/strict";
import { Random, sleep, VirtualClock } from "../../core/mod.ts";
import { append, END, graph, lastValue, reducer, send, START } from "./mod.ts";
import { run } from "./testdata/run.ts";

/** plan → one worker for each item, which takes as many ms as its item says → collect. */
const fanOut = (delays: readonly number[]) =>
  graph({ seen: append<string>(), order: reducer(0, (now: number, update: number) => now * 10 + update) })
    .node("plan", () => {})
    .node("worker", async (_state, { clock, task, payload }) => {
      await sleep(clock, Number(payload));
      return { seen: [task], order: Number(task.split("#")[1]) };
    })
    .node("collect", ({ seen }) => ({ seen: [`collected ${seen.length}`] }))
    .edge(START, "plan")
    .branch("plan", () => delays.map((ms) => send("worker", ms)), { targets: ["worker"] })
    .edge("worker", "collect")
    .edge("collect", END)
    .compile();

Deno.test("graph() runs a plan, a fan-out and a collector behind a barrier", async () => {
  const result = await run(fanOut([30, 10, 20]), {});
  assert.deepEqual(result, {
    status: "done",
    state: { seen: ["worker#1", "worker#2", "worker#3", "collected 3"], order: 123 },
    failures: [],
    supersteps: 3,
    notStarted: [],
  });
});

Deno.test("graph() merges in dispatch order whatever order results come in", async () => {
  const random = new Random("orders");
  for (let round = 0; round < 50; round++) {
    const { state } = await run(fanOut([0, 0, 0, 0, 0, 0].map(() => Math.floor(random.next() * 5))), {});
    assert.equal(state.order, 123456);
  }
});

Deno.test("graph() runs the tasks of a superstep at the same time", async () => {
  const clock = new VirtualClock();
  await clock.run(() => fanOut([30, 10, 20]).run({}, { clock }));
  assert.equal(clock.now(), 30);
});

Deno.test("graph() runs a node once when several nodes of a superstep lead to it", async () => {
  const diamond = graph({ ran: append<string>() })
    .node("left", () => ({ ran: ["left"] }))
    .node("right", () => ({ ran: ["right"] }))
    .node("join", (_state, { task, superstep }) => ({ ran: [`${task} in ${superstep}`] }))
    .edge(START, "left").edge(START, "right")
    .edge("left", "join").edge("right", "join").branch("right", () => ["join", END])
    .edge("join", END)
    .compile();
  assert.deepEqual((await run(diamond, {})).state.ran, ["left", "right", "join in 2"]);
});

Deno.test("graph() shows a superstep's nodes the state before it, frozen", async () => {
  const blind = graph({ n: lastValue(1), saw: append<number>() })
    .node("a", ({ n }) => ({ n: n + 1, saw: [n] }))
    .node("b", (state) => {
      assert.throws(() => Object.assign(state, { n: 100 }), TypeError);
      return { n: state.n + 10, saw: [state.n] };
    })
    .edge(START, "a").edge(START, "b").edge("a", END).edge("b", END)
    .compile();
  assert.deepEqual((await run(blind, { n: 5 })).state, { n: 15, saw: [5, 5] });
});

Deno.test("graph() loops until its router has had enough", async () => {
  const loop = graph({ n: lastValue(0) })
    .node("count", ({ n }) => ({ n: n + 1 }))
    .edge(START, "count")
    .branch("count", ({ n }) => n < 7 ? "count" : END)
    .compile();
  const result = await run(loop, {});
  assert.deepEqual([result.status, result.state.n, result.supersteps], ["done", 7, 7]);
});

Deno.test("graph() keeps nothing from one run to the next", async () => {
  const twice = fanOut([1]);
  assert.deepEqual(await run(twice, {}), await run(twice, {}));
});

Deno.test("graph() treats names like __proto__ and constructor as names", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const builder = graph({ ["__proto__"]: append<string>(), constructor: lastValue("none") });
  for (const name of names) {
    builder.node(name, (_state, { task }) => ({ ["__proto__"]: [task], constructor: name })).edge(name, END);
  }
  const result = await run(
    builder.branch(START, () => names.flatMap((name) => [name, send(name, null, { key: `${name}!` })])).compile(),
    {},
  );
  assert.deepEqual(result.failures, []);
  assert.deepEqual(Object.entries(result.state), [
    ["__proto__", names.flatMap((name) => [name, `${name}!`])],
    ["constructor", "hasOwnProperty"],
  ]);
});

Deno.test("graph() infers the state's type from its channels", () => {
  graph({ n: lastValue(0), list: append<string>() })
    .node("typed", ({ n, list }) => {
      const sum: number = n + list.length;
      // @ts-expect-error the channel holds strings
      list.includes(sum);
      return { n: sum };
    })
    // @ts-expect-error the channel takes a list of strings
    .node("wrong", () => ({ list: "not a list" }));
});

Deno.test("run() refuses an input that is no update of its channels", async () => {
  const tiny = graph({ list: append<string>() }).node("a", () => {}).edge(START, "a").edge("a", END).compile();
  const clock = new VirtualClock();
  // @ts-expect-error there is no such channel
  await assert.rejects(tiny.run({ lst: ["x"] }, { clock }), /no channel "lst"; channels: "list"/);
  // @ts-expect-error a list is a list
  await assert.rejects(tiny.run({ list: "x" }, { clock }), /channel "list" is a list/);
});

Deno.test("run() does 10,000 workers and a list of 10,000", async () => {
  const { state } = await run(fanOut(new Array(10_000).fill(0)), {});
  assert.equal(state.seen.length, 10_001);
  assert.equal(state.seen[9_999], "worker#10000");
});
