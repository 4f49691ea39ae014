import assert from "node:assert/strict";
import { CodedError } from "../../core/mod.ts";
import { append, END, graph, type GraphEvent, send, START } from "./mod.ts";
import { run } from "./testdata/run.ts";

const pair = graph({ notes: append<string>() })
  .node("w", (_state, { payload }) => {
    if (payload === "bad") throw new CodedError("refused", "no");
    return { notes: ["fine"] };
  })
  .branch(START, () => [send("w", "good"), send("w", "bad")])
  .edge("w", END)
  .compile();

Deno.test("onEvent gets every superstep and task with its outcome", async () => {
  const events: GraphEvent[] = [];
  const { failures } = await run(pair, {}, { onEvent: (event) => events.push(event) });
  const about = (task: string) => ({ superstep: 1, node: "w", task });
  assert.deepEqual(events, [
    { type: "superstep_start", superstep: 1, tasks: ["w#1", "w#2"], restored: [] },
    { type: "task_start", ...about("w#1") },
    { type: "task_end", ...about("w#1"), outcome: "ok" },
    { type: "task_start", ...about("w#2") },
    { type: "task_end", ...about("w#2"), outcome: "refused" },
    { type: "superstep_end", superstep: 1, tasks: ["w#1", "w#2"], failures },
  ]);
});

Deno.test("onEvent that fails, at once or later, does not change the run's result", async () => {
  const plain = await run(pair, {});
  const throwing = await run(pair, {}, {
    onEvent: () => {
      throw new Error("observer");
    },
  });
  const rejecting = await run(pair, {}, { onEvent: () => Promise.reject(new Error("observer")) });
  assert.deepEqual(throwing, plain);
  assert.deepEqual(rejecting, plain);
});

Deno.test("onEvent may end the run at any event, and the run ends in order", async () => {
  const whole: GraphEvent[] = [];
  await run(pair, {}, { onEvent: (event) => whole.push(event) });
  for (const at of whole.keys()) {
    const controller = new AbortController();
    const events: GraphEvent[] = [];
    const result = await run(pair, {}, {
      signal: controller.signal,
      onEvent: (event) => {
        if (events.push(event) === at + 1) controller.abort("stop");
      },
    });
    const count = (type: string) => events.filter((event) => event.type === type).length;
    assert.equal(count("task_start"), count("task_end"));
    assert.equal(count("superstep_end"), 1);
    assert.equal(result.notStarted.length, 2 - count("task_start"));
    assert.equal(result.status, at < 4 ? "cancelled" : "done");
  }
});
