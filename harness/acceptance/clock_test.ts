/** In `sim` a cell waits on its own clock and on nothing else: what does otherwise is found and named. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout as nodeSleep } from "node:timers/promises";
import { CREWS, Hub, supervise } from "../../agents/mod.ts";
import { sleep, VirtualClock } from "../../core/mod.ts";
import { cellSpec, checkNamed, runOne, scenarioNamed } from "../testing/cells.ts";
import { NOTHING, subject } from "../testing/subjects.ts";

const HERE = /harness\/acceptance\/clock_test\.ts:\d+:\d+/;
const { setTimeout: earlier } = globalThis;

const strays: [what: string, run: Parameters<typeof subject>[1], message: RegExp][] = [
  ["setTimeout", () => new Promise((resolve) => setTimeout(() => resolve(NOTHING), 1)), /^setTimeout at /],
  ["a timer that was taken earlier", () => new Promise((resolve) => earlier(() => resolve(NOTHING), 1)), /real timer/],
  ["an imported timer", () => nodeSleep(1, NOTHING), /real/],
  ["a file", () => Deno.readTextFile("deno.json").then(() => NOTHING), /^Deno\.readTextFile at /],
  ["an imported file", async ({ clock }) => {
    // A read that the runtime answers at once cannot be told from a microtask; some read is not.
    do await readFile("deno.json"); while (clock instanceof VirtualClock && clock.inTurn);
    await sleep(clock, 1);
    return NOTHING;
  }, /real/],
  ["fetch", () => fetch("http://127.0.0.1:1/").then(() => NOTHING), /^fetch at /],
  ["Date.now", () => Promise.resolve({ ...NOTHING, text: `${Date.now()}` }), /^Date\.now at /],
  ["new Date()", () => Promise.resolve({ ...NOTHING, text: new Date().toISOString() }), /^new Date\(\) at /],
  ["performance.now", () => Promise.resolve({ ...NOTHING, text: `${performance.now()}` }), /^performance\.now at /],
  ["Math.random", () => Promise.resolve({ ...NOTHING, text: `${Math.random()}` }), /^Math\.random at /],
  ["crypto.randomUUID", () => Promise.resolve({ ...NOTHING, text: crypto.randomUUID() }), /^crypto\.randomUUID at /],
];

for (const [what, run, message] of strays) {
  Deno.test(`a cell that uses ${what} is an error that names the place`, async () => {
    const result = await runOne(cellSpec("healthy-desk", { subject: subject("stray", run) }));
    assert.equal(result.scorecard.outcome, "error");
    const ended = checkNamed(result, "run.ended");
    assert.equal(ended.outcome, "error");
    assert.match(ended.message, message);
    assert.match(ended.message, HERE);
    // Whatever real thing it waited for comes about after all: a file that is asked for later is not read earlier.
    await readFile("deno.json");
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
}

Deno.test("a cell that swallows what it was told of a stray is an error all the same", async () => {
  const sly = subject("sly", () => {
    let text = "no time";
    try {
      text = String(Math.random());
    } catch {
      // As if nothing had happened.
    }
    return Promise.resolve({ ...NOTHING, text });
  });
  const result = await runOne(cellSpec("healthy-desk", { subject: sly }));
  assert.match(checkNamed(result, "run.ended").message, /^Math\.random at /);
});

Deno.test("a cell with nothing left to run is stalled, and does not hang", async () => {
  const result = await runOne(cellSpec("healthy-desk", { subject: subject("stuck", () => new Promise(() => {})) }));
  assert.equal(result.scorecard.outcome, "fail");
  assert.match(checkNamed(result, "run.ended").message, /^stalled: nothing was left to run after 0 ms/);
});

Deno.test("the SDK's own timeouts decide nothing: a reply after ten minutes is a reply", async () => {
  const support = CREWS.get("support") ?? assert.fail();
  const crew = {
    ...support,
    deadlineMs: 3_600_000,
    specialists: support.specialists.map((one) => ({ ...one, deadlineMs: 3_600_000 })),
  };
  // The hub has a default of its own, which is a minute like the SDK's.
  const patient = subject("patient", async ({ request, model, ports, clock, signal, emit, crew }) => {
    await using hub = await Hub.open({ ports, clock, callTimeoutMs: 3_600_000 }, signal);
    return await supervise(request, { crew, model, hub, clock, emit, signal });
  });
  const healthy = scenarioNamed("healthy-desk");
  const scenario = {
    ...healthy,
    faults: [{ fault: "latency", at: "kb.search_kb", ms: 600_000, jitter: 0 }],
    expect: { ...healthy.expect, makespan: 600_000 },
  };
  const result = await runOne(cellSpec(scenario, { crew, subject: patient, deadlineMs: 7_200_000 }));
  assert.deepEqual(result.scorecard.checks.filter(({ outcome }) => outcome !== "pass"), []);
});
