import assert from "node:assert/strict";
import { sleep } from "../../core/mod.ts";
import type { Lane } from "../lanes/lane.ts";
import { simLane } from "../lanes/sim.ts";
import { cellSpec, checkNamed, notGreen, runOne, scenarioNamed } from "../testing/cells.ts";
import { hanger, NOTHING, subject } from "../testing/subjects.ts";
import { writeTrace } from "../trace/jsonl.ts";
import { readTrace } from "../trace/read.ts";
import { runCell } from "./cell.ts";

Deno.test("runCell() makes an error of a world that does not open, as an event like any other", async () => {
  const lane: Lane = {
    name: "wire",
    open: () => Promise.reject(new Error("no fixture today: hunter2-hunter2")),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const scenario = { ...scenarioNamed("healthy-desk"), secrets: { db: "hunter2-hunter2" } };
  const result = await runOne(cellSpec(scenario, { lane: "wire" }), lane);
  assert.deepEqual(result.trace.events, [{
    run: "healthy-desk@wire",
    seq: 0,
    t: 0,
    side: "bench",
    type: "run.end",
    span: "run",
    outcome: "error",
    detail: { outcome: "error", detail: "Error: no fixture today: [secret:db]" },
  }]);
  assert.equal(result.scorecard.outcome, "error");
  assert.equal(notGreen(result).length, result.scorecard.checks.length, "nobody passes in a world that was not there");
  assert.deepEqual(readTrace(writeTrace(result.trace)).events, result.trace.events);
});

Deno.test("runCell() opens no world once it is called off", async () => {
  let opened = 0;
  const lane: Lane = {
    name: "sim",
    open: () => Promise.reject(new Error(`opened ${++opened}`)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const result = await runOne(cellSpec("healthy-desk", { signal: AbortSignal.abort(new Error("enough")) }), lane);
  assert.equal(opened, 0);
  assert.equal(checkNamed(result, "run.ended").message, "Error: enough");
});

Deno.test("runCell() ends a cell that is called off in the middle, as an error and not as the subject's failure", async () => {
  const off = new AbortController();
  const ends: string[] = [];
  const patient = subject("patient", async ({ clock, signal }) => {
    signal.addEventListener("abort", () => ends.push("told"));
    await sleep(clock, 10);
    off.abort(new Error("enough"));
    await sleep(clock, 60_000);
    ends.push("finished");
    return NOTHING;
  });
  const result = await runOne(cellSpec("healthy-desk", { subject: patient, signal: off.signal }));
  assert.deepEqual([checkNamed(result, "run.ended").outcome, checkNamed(result, "run.ended").message], [
    "error",
    "the cell was called off",
  ]);
  assert.deepEqual(ends, ["told"]);
});

Deno.test("runCell() tells a subject that waits for nothing from one that waits too long", async () => {
  const outcomeOf = async (run: Parameters<typeof subject>[1]) => {
    const result = await runOne(cellSpec("healthy-desk", { subject: subject("waiting", run), deadlineMs: 5000 }));
    return checkNamed(result, "run.ended").message;
  };
  assert.match(await outcomeOf(() => new Promise(() => {})), /^stalled: nothing was left to run after 0 ms/);
  const after = async ({ clock, emit }: Parameters<Parameters<typeof subject>[1]>[0]) => {
    await sleep(clock, 1234);
    emit("report", "run", {});
    return await new Promise<never>(() => {});
  };
  assert.match(await outcomeOf(after), /^stalled: nothing was left to run after 1234 ms/);
  assert.equal(
    await outcomeOf(({ clock }) => sleep(clock, 5001).then(() => NOTHING)),
    "overdue: no answer within 5000 ms",
  );
  assert.equal(
    await outcomeOf(({ signal }) => new Promise((resolve) => signal.onabort = () => resolve(NOTHING))),
    "stalled: nothing was left to run after 0 ms, and there was no answer",
    "an answer at the deadline is too late",
  );
  assert.equal(await outcomeOf(({ clock }) => sleep(clock, 4999).then(() => NOTHING)), "the subject answered");
});

Deno.test("runCell() survives what a subject may throw and answer", async () => {
  const cyclic: { [key: string]: unknown } = { ...NOTHING };
  cyclic.self = cyclic;
  const thrown: unknown[] = [undefined, null, "text", { odd: 1 }, new Error("\u001b[31mred\nblue"), Symbol("s")];
  for (const value of thrown) {
    const result = await runOne(cellSpec("healthy-desk", { subject: subject("x", () => Promise.reject(value)) }));
    const { message } = checkNamed(result, "run.ended");
    assert.match(message, /^crashed: .*$/);
    assert.ok(!message.includes("\u001b"), "a terminal would obey it");
  }
  for (const value of [undefined, null, 7, "text", [], cyclic, { ...NOTHING, text: 7 }]) {
    const bad = subject(
      "x",
      () => Promise.resolve(value as typeof NOTHING),
    );
    const result = await runOne(cellSpec("healthy-desk", { subject: bad }));
    assert.match(checkNamed(result, "run.ended").message, /^crashed: what it answered is no answer: /);
  }
});

Deno.test("runCell() takes the secrets out of the header, and gives the servers the real ones", async () => {
  const { faults: _, ...healthy } = scenarioNamed("healthy-desk");
  const scenario = {
    ...healthy,
    secrets: { pw: "policy-db" },
    faults: [{ fault: "latency", at: "kb.search_kb", ms: 1, jitter: 0 }],
    servers: JSON.parse(JSON.stringify(healthy.servers).replace("R. Okafor", "R. policy-db")),
  };
  const { trace } = await runOne(cellSpec(scenario));
  assert.ok(!writeTrace(trace).includes("policy-db"));
  assert.deepEqual(trace.scenario.secrets, { pw: "[secret:pw]" });
  assert.match(JSON.stringify(trace.events), /R\. \[secret:pw\]/, "the server said it");
  assert.deepEqual(readTrace(writeTrace(trace)).scenario.secrets, { pw: "[secret:pw]" });
});

Deno.test("runCell() hands out a trace that nothing changes afterwards", async () => {
  const chatty = subject("chatty", async ({ clock, emit }) => {
    void (async () => {
      for (let i = 0;; i++) {
        emit("report", "run", { i });
        await sleep(clock, 1000);
      }
    })();
    await sleep(clock, 1);
    return NOTHING;
  });
  await using lane = simLane();
  const trace = await runCell(cellSpec("healthy-desk", { subject: chatty }), lane);
  const before = trace.events.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(trace.events.length, before);
  assert.equal(trace.events.at(-1)?.type, "run.end");
});

Deno.test("runCell() says the same of a hanger in a second run", async () => {
  await using lane = simLane();
  const spec = cellSpec("healthy-desk", { subject: hanger });
  assert.equal(writeTrace(await runCell(spec, lane)), writeTrace(await runCell(spec, lane)));
});
