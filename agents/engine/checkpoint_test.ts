import assert from "node:assert/strict";
import { CodedError, sleep, VirtualClock } from "../../core/mod.ts";
import { append, type Checkpointer, END, graph, lastValue, MemoryCheckpointer, send, START } from "./mod.ts";
import { run } from "./testdata/run.ts";

const tiny = (nodeName = "a") =>
  graph({ notes: append<string>(), maybe: lastValue<string | undefined>(undefined) })
    .node(nodeName, () => ({ notes: ["ran"] }))
    .edge(START, nodeName).edge(nodeName, END).compile();

Deno.test("run() saves after each superstep and records each task as soon as it has finished", async () => {
  const log: string[] = [];
  const memory = new MemoryCheckpointer();
  const checkpointer: Checkpointer = {
    save: (id, checkpoint) => {
      log.push(`save ${checkpoint.superstep} next ${checkpoint.tasks.map(({ task }) => task)}`);
      memory.save(id, checkpoint);
    },
    record: (id, finished) => {
      log.push(`record ${finished.task} ${finished.outcome.ok ? "ok" : finished.outcome.failure.code}`);
      memory.record(id, finished);
    },
    load: (id) => memory.load(id),
  };
  const race = graph({ notes: append<string>() })
    .node("w", async (_state, { clock, payload }) => {
      await sleep(clock, Number(payload));
      if (payload === 20) throw new CodedError("refused", "no");
      return { notes: [`${payload}`] };
    })
    .branch(START, () => [30, 20, 10].map((ms) => send("w", ms)))
    .edge("w", END).compile();
  await run(race, {}, { checkpointer, runId: "r" });
  assert.deepEqual(log, [
    "save 0 next w#1,w#2,w#3",
    "record w#3 ok",
    "record w#2 refused",
    "record w#1 ok",
    "save 1 next ",
  ]);
});

Deno.test("run() waits for an asynchronous checkpointer before a task counts as finished", async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  const memory = new MemoryCheckpointer();
  const slowly = async (name: string, work: () => void) => {
    await sleep(clock, 10);
    work();
    log.push(name);
  };
  const checkpointer: Checkpointer = {
    save: (id, checkpoint) => slowly("save", () => memory.save(id, checkpoint)),
    record: (id, finished) => slowly("record", () => memory.record(id, finished)),
    load: (id) => sleep(clock, 10).then(() => memory.load(id)),
  };
  const result = await clock.run(() =>
    tiny().run({}, { clock, checkpointer, runId: "r", onEvent: ({ type }) => log.push(type) })
  );
  assert.equal(result.status, "done");
  assert.deepEqual(log, ["save", "superstep_start", "task_start", "record", "task_end", "save", "superstep_end"]);
});

Deno.test("run() rejects when its checkpointer fails, and calls the running tasks off", async () => {
  for (
    const fail of [() => Promise.reject(new Error("disk full")), () => {
      throw new Error("disk full");
    }]
  ) {
    const memory = new MemoryCheckpointer();
    const checkpointer: Checkpointer = { save: (i, c) => memory.save(i, c), load: (i) => memory.load(i), record: fail };
    const signals: AbortSignal[] = [];
    const two = graph({ notes: append<string>() })
      .node("slow", (_state, { signal }) => {
        signals.push(signal);
        return new Promise<void>(() => {});
      })
      .node("quick", () => {})
      .edge(START, "slow").edge(START, "quick").edge("slow", END).edge("quick", END).compile();
    await assert.rejects(run(two, {}, { checkpointer, runId: "r" }), { message: "disk full" });
    assert.equal(signals[0]?.aborted, true);
  }
});

Deno.test("run() refuses a runId that is taken, and a checkpointer without a runId", async () => {
  const checkpointer = new MemoryCheckpointer();
  await run(tiny(), {}, { checkpointer, runId: "r" });
  await assert.rejects(run(tiny(), {}, { checkpointer, runId: "r" }), {
    name: "CheckpointError",
    message: /run "r" is kept already: resume it, or choose another runId/,
  });
  await assert.rejects(run(tiny(), {}, { checkpointer }), /needs a runId/);
});

Deno.test("resume() gives the result of a run that was done again, and runs nothing", async () => {
  const checkpointer = new MemoryCheckpointer();
  const clock = new VirtualClock();
  const first = await run(tiny(), {}, { checkpointer, runId: "r" });
  const again = await tiny().resume("r", {
    clock,
    checkpointer,
    onEvent: () => assert.fail("nothing is to happen"),
  });
  assert.deepEqual(again, first);
});

Deno.test("resume() refuses a run that is not kept or that a different graph has left", async () => {
  const checkpointer = new MemoryCheckpointer();
  const clock = new VirtualClock();
  const options = { clock, checkpointer };
  await assert.rejects(tiny().resume("r", options), /no run "r" is kept here/);
  await assert.rejects(tiny().resume("r", { clock }), /needs the checkpointer/);
  await run(tiny(), {}, { checkpointer, runId: "r", signal: AbortSignal.abort("no") });
  await assert.rejects(tiny("b").resume("r", options), /kept by a different graph: node "a" not in both/);
  const other = graph({ notes: append<string>() }).node("a", () => {}).edge(START, "a").edge("a", END).compile();
  await assert.rejects(other.resume("r", options), /kept by a different graph: channel "maybe" not in both/);
});

Deno.test("resume() names the tasks that it restores, and has no events for them", async () => {
  const checkpointer = new MemoryCheckpointer();
  const fan = graph({ notes: append<string>() })
    .node("w", (_state, { task }) => ({ notes: [task] }))
    .branch(START, () => [send("w", 1), send("w", 2)]).edge("w", END).compile();
  const controller = new AbortController();
  await run(fan, {}, {
    checkpointer,
    runId: "r",
    signal: controller.signal,
    onEvent: ({ type }) => type === "task_end" && controller.abort("stop"),
  });
  const log: string[] = [];
  const result = await fan.resume("r", {
    clock: new VirtualClock(),
    checkpointer,
    onEvent: (event) => {
      log.push(event.type === "superstep_start" ? `start, restored ${event.restored}` : event.type);
    },
  });
  assert.deepEqual(log, ["start, restored w#1", "task_start", "task_end", "superstep_end"]);
  assert.deepEqual(result.state.notes, ["w#1", "w#2"]);
});
