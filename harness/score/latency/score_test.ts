import assert from "node:assert/strict";
import { storm } from "../../testing/account_subjects.ts";
import { cellSpec, runOne, scenarioNamed } from "../../testing/cells.ts";
import { quitter } from "../../testing/gate_subjects.ts";
import { lingerer, slowStarter } from "../../testing/latency_subjects.ts";
import { partsOf, testLowered } from "../../testing/lowered.ts";
import { omitter, serial, slow } from "../../testing/subjects.ts";
import { type TraceView, viewTrace } from "../view.ts";
import { latencyScore } from "./score.ts";

/** The wording takes as long as the order. */
const twoTakeTime = (() => {
  const base = scenarioNamed("healthy-desk");
  const [call, ...rest] = base.script["comms"] ?? [];
  assert.ok(call !== undefined);
  const { makespan: _, ...expect } = base.expect;
  return { ...base, script: { ...base.script, comms: [{ ...call, takes: 500 }, ...rest] }, expect };
})();

testLowered([
  {
    name: "latencyScore() tells what a slow subject takes too long",
    score: "latency",
    scenario: "broken-policy-server",
    subject: slow,
    changed: { value: [1, 1.014], makespan: [500, 507], efficiency: [1, 0.986193] },
    says: /^took 507 ms, 1\.01 times the 500 ms of its longest chain \(billing\)/,
  },
  {
    name: "latencyScore() tells what is lost before the first dispatch",
    score: "latency",
    scenario: "broken-policy-server",
    subject: slowStarter,
    changed: { value: [1, 1.5], makespan: [500, 750], efficiency: [1, 0.666667], first_dispatch: [0, 250] },
    says: /1\.50 times/,
  },
  {
    name: "latencyScore() finds independent tasks that ran one after another, though it took no time",
    score: "latency",
    scenario: "healthy-desk",
    subject: serial,
    changed: { serialised_pairs: [0, 3] },
    says: /billing and policy, billing and comms, policy and comms did not run at once/,
  },
  {
    name: "latencyScore() finds independent tasks that ran one after another, with what it cost",
    score: "latency",
    scenario: twoTakeTime,
    subject: serial,
    changed: { value: [1, 2], makespan: [500, 1000], efficiency: [1, 0.5], serialised_pairs: [0, 3] },
    says: /did not run at once/,
  },
  {
    name: "latencyScore() counts a hang as its deadline, and what is waited beyond it as lag",
    score: "latency",
    scenario: "policy-server-hangs",
    subject: lingerer,
    changed: {
      value: [1, 2],
      makespan: [3000, 6000],
      efficiency: [1, 0.5],
      worst_broken_worker: [2500, 5500],
      cancellation_lag: [0, 3000],
    },
    says: /5500 ms were lost to policy; a call went on for 3000 ms when its time was over/,
  },
  {
    name: "latencyScore() does not thank a quitter for recovering nobody, and shows what retries took",
    score: "latency",
    scenario: "comms-model-fails-midway",
    subject: quitter,
    changed: {
      value: [2, 1],
      makespan: [1000, 500],
      efficiency: [0.5, 1],
      worst_broken_worker: [500, 0],
      retry_waste_calls: [3, 0],
    },
    says: /as long as its longest chain/,
  },
  {
    name: "latencyScore() counts the calls of attempts that were not used",
    score: "latency",
    scenario: "orders-ask-for-a-pause/for-good",
    subject: storm,
    changed: { makespan: [1500, 600], worst_broken_worker: [1500, 600], retry_waste_calls: [6, 7] },
    says: /7 calls/,
  },
  {
    name: "latencyScore() has no stretch where a task of the gold plan was left out",
    score: "latency",
    scenario: "broken-policy-server",
    subject: omitter,
    changed: {
      value: [1, null],
      optimum: [500, null],
      critical_path: [500, null],
      efficiency: [1, null],
      independent_pairs: [3, 1],
    },
    says: /^took 500 ms, comms of the gold plan was never handed over/,
  },
]);

async function viewOf(name: string): Promise<TraceView> {
  return viewTrace((await runOne(cellSpec(name))).trace);
}

Deno.test("latencyScore() knows nothing of time in wire", async () => {
  const { trace } = await viewOf("broken-policy-server");
  const score = latencyScore(viewTrace({ ...trace, cell: { ...trace.cell, lane: "wire" } }));
  assert.deepEqual(new Set(partsOf(score).values()), new Set([null]));
  assert.match(score.message, /exact in sim only/);
});

Deno.test("latencyScore() is 1 for a run that takes no time, and null for one whose tasks need none", async () => {
  assert.equal(latencyScore(await viewOf("error-quotes-a-password")).value, 1);
  const score = latencyScore(await viewOf("model-rate-limited"));
  assert.equal(score.value, null);
  assert.match(score.message, /no multiple of nothing/);
});

Deno.test("latencyScore() has no stretch for a run that did not wait for what its tasks depend on", async () => {
  const { trace } = await viewOf("policy-server-hangs");
  const { scenario } = trace;
  const edges: [string, string][] = [["billing", "policy"]];
  const plan = { nodes: ["billing", "policy", "comms"], edges, facts: {} };
  assert.ok(scenario.expect !== undefined);
  const expect = { ...scenario.expect, plan };
  const score = latencyScore(viewTrace({ ...trace, scenario: { ...scenario, expect } }));
  assert.equal(score.value, null);
  assert.match(score.message, /took 3000 ms, and its tasks need 3500 ms one after another \(billing, policy\)/);
});

Deno.test("latencyScore() takes work that was begun again after a kill for begun when it was begun first", async () => {
  const parts = partsOf(latencyScore(await viewOf("killed-while-billing-works")));
  assert.equal(parts.get("serialised_pairs"), 0);
  assert.equal(parts.get("independent_pairs"), 1);
});

Deno.test("latencyScore() is null for a run that never began", async () => {
  const { trace } = await viewOf("broken-policy-server");
  const events = trace.events.filter(({ type }) => type !== "run.start");
  assert.equal(latencyScore(viewTrace({ ...trace, events })).value, null);
});
