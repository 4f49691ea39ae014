import assert from "node:assert/strict";
import { CREWS, MemoryRunLog, type ModelTurn, type SubjectWorld } from "../../agents/mod.ts";
import { sleep, VirtualClock } from "../../core/mod.ts";
import { CopyingCheckpointer, CopyingRunLog } from "./kept.ts";
import { Life } from "./life.ts";

const TURN: ModelTurn = { text: "done", calls: [], finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
const REQUEST = { agent: "a", span: "run", system: "", messages: [], tools: [] };

/** A world in which everything takes 10 ms, and what was told in it. */
function world(clock: VirtualClock) {
  const told: string[] = [];
  const slowly = async <T>(value: T, signal: AbortSignal): Promise<T> => {
    try {
      await sleep(clock, 10, signal);
    } catch (error) {
      told.push("called off");
      throw error;
    }
    return value;
  };
  const made: SubjectWorld = {
    request: "",
    crew: CREWS.get("support") ?? assert.fail(),
    clock,
    signal: new AbortController().signal,
    emit: (type) => told.push(type),
    model: { next: (_, signal) => slowly(TURN, signal) },
    ports: [{ name: "orders", connect: () => Promise.reject(new Error("no")) }],
    operator: {
      approve: ({ binding }, signal) => slowly({ decision: "approve", binding }, signal),
      takeOver: (_, signal) => slowly("said", signal),
    },
    user: { answer: (_, signal) => slowly("said", signal) },
  };
  return { made, told };
}

Deno.test("Life that is over gets nothing, gives nothing, keeps nobody busy, and is told nothing of it", async () => {
  const clock = new VirtualClock();
  const { made, told } = world(clock);
  const log = new MemoryRunLog();
  const life = new Life();
  const settled: string[] = [];
  await clock.run(async () => {
    const mine = life.world(made, { checkpointer: new CopyingCheckpointer(), log, runId: "r", isResumed: false });
    const { signal, model, operator, user, ports, emit, kept } = mine;
    const call = { callId: "c", worker: "w", tool: "t", args: {}, binding: "b", reasons: [] };
    const waits = [
      model.next(REQUEST, signal),
      operator?.approve(call, signal),
      user?.answer({ packetId: "p", worker: "w", question: "?" }, signal),
      sleep(mine.clock, 5, signal),
    ];
    for (const wait of waits) Promise.resolve(wait).then(() => settled.push("done"), () => settled.push("failed"));
    emit("before", "run", {});
    kept?.log.append("l", 1);
    await sleep(clock, 1);
    life.end();
    await life.ended;
    assert.equal(clock.pending, 0, "its timers are cancelled, and those of whoever works for it");
    for (const wait of [model.next(REQUEST, signal), ports[0]?.connect(), sleep(mine.clock, 5, signal)]) {
      Promise.resolve(wait).then(() => settled.push("done"), () => settled.push("failed"));
    }
    emit("after", "run", {});
    kept?.log.append("l", 2);
    await sleep(clock, 100);
    assert.equal(signal.aborted, false, "a kill gives nobody the chance to clean up");
  });
  assert.deepEqual(settled, []);
  assert.deepEqual(told, ["before", "called off", "called off", "called off"]);
  assert.deepEqual(log.read("l"), [1]);
});

Deno.test("Life lets everything through as long as it lasts, failures too", async () => {
  const clock = new VirtualClock();
  const { made } = world(clock);
  await clock.run(async () => {
    const kept = { checkpointer: new CopyingCheckpointer(), log: new CopyingRunLog(), runId: "r", isResumed: false };
    const { model, ports, signal } = new Life().world(made, kept);
    assert.equal(await model.next(REQUEST, signal), TURN);
    await assert.rejects(async () => await ports[0]?.connect(), { message: "no" });
  });
  assert.equal(clock.now(), 10);
});

Deno.test("what is kept in memory shares nothing with what was handed in, and must be JSON", () => {
  const log = new CopyingRunLog();
  const entry = { list: [1] };
  log.append("l", entry);
  entry.list.push(2);
  assert.deepEqual(log.read("l"), [{ list: [1] }]);
  assert.throws(() => log.append("l", NaN), TypeError);
  const keeper = new CopyingCheckpointer();
  const state = { notes: ["a"], nothing: undefined };
  keeper.save("r", { superstep: 1, state, tasks: [{ node: "n", task: "t", payload: undefined }], failures: [] });
  state.notes.push("b");
  keeper.record("r", { task: "t", outcome: { ok: true, update: { notes: ["c"] } } });
  assert.deepEqual(keeper.load("r"), {
    checkpoint: {
      superstep: 1,
      state: { notes: ["a"], nothing: undefined },
      tasks: [{ node: "n", task: "t", payload: undefined }],
      failures: [],
    },
    finished: [{ task: "t", outcome: { ok: true, update: { notes: ["c"] } } }],
  });
  assert.throws(() => keeper.save("r", { superstep: 2, state: { f: () => 1 }, tasks: [], failures: [] }), TypeError);
});
