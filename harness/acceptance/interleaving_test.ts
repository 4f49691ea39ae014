/** No trace line is ever torn or given to the wrong worker, whatever the concurrency. */
import assert from "node:assert/strict";
import { contracts, type Crew, CREWS } from "../../agents/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { runCells } from "../runner/run.ts";
import type { Scenario } from "../scenario/mod.ts";
import { cellSpec, runOne, scenarioNamed } from "../testing/cells.ts";
import { writeTrace } from "../trace/jsonl.ts";

const WORKERS = Array.from({ length: 40 }, (_, i) => `w${String(i).padStart(2, "0")}`);

/** Forty specialists who all read the same server, each asking for something that nobody else asks for. */
function crowd(): { crew: Crew; scenario: Scenario } {
  const support = CREWS.get("support");
  const [specialist] = support?.specialists ?? [];
  if (support === undefined || specialist === undefined) throw new Error("no crew to copy");
  const crew: Crew = {
    ...support,
    specialists: WORKERS.map((name) => ({ ...specialist, name, toolAllow: ["kb", "orders"], maxSteps: 3 })),
    fallbacks: [],
  };
  const { canaries: _, ...healthy } = scenarioNamed("healthy-desk");
  const tasks = WORKERS.map((name) => ({ id: name, specialist: name, objective: `Ask for ${name}.` }));
  const scenario: Scenario = {
    ...healthy,
    canaries: {},
    script: {
      planner: [{ say: JSON.stringify({ tasks }) }],
      ...Object.fromEntries(WORKERS.map((name, i) => [name, [
        {
          calls: [
            { call: "kb.search_kb", with: { query: `${name} first` } },
            { call: "orders.find_order", with: { order_id: `${name} second` } },
          ],
          takes: i % 7,
        },
        { call: "kb.search_kb", with: { query: `${name} third` }, takes: i % 3 },
        { final: `The query was "${name} first".` },
      ]])),
    },
    faults: [{ fault: "latency", at: "kb.search_kb", ms: 20, jitter: 20 }],
    expect: { status: "complete", failed: {}, substituted: {}, answer: { says: [], never: [] } },
  };
  return { crew, scenario };
}

/** Every line parses, and whatever names a worker belongs to it. */
function checkTrace(text: string): number {
  const [header = "", ...lines] = text.split("\n");
  assert.equal(lines.pop(), "");
  JSON.parse(header);
  let requests = 0;
  for (const [seq, line] of lines.entries()) {
    const event = JSON.parse(line);
    assert.equal(event.seq, seq);
    if (event.worker === undefined) continue;
    const said = JSON.stringify(event.detail);
    for (const other of WORKERS) {
      if (other !== event.worker) assert.ok(!said.includes(`${other} `), `${line} speaks of ${other}`);
    }
    if (event.type === "server.request") {
      requests++;
      assert.ok(Object.values(event.detail.args).every((arg) => String(arg).startsWith(`${event.worker} `)), line);
      assert.ok(event.span.startsWith(`run/s2/${event.worker}/`), line);
    }
  }
  return requests;
}

Deno.test("40 workers in one cell: every line is whole and belongs to its worker, in whatever order", async () => {
  const { crew, scenario } = crowd();
  const orders = new Set<string>();
  for (const seed of ["0", "1", "2", "3", "4"]) {
    const { trace, scorecard } = await runOne(cellSpec(scenario, { crew, seed }));
    assert.equal(
      scorecard.outcome,
      "pass",
      JSON.stringify(scorecard.checks.filter(({ outcome }) => outcome !== "pass")),
    );
    assert.equal(checkTrace(writeTrace(trace)), 3 * WORKERS.length);
    const ends = trace.events.filter(({ type }) => type === "report").map(({ span }) => span);
    assert.equal(ends.length, WORKERS.length);
    orders.add(ends.join());
    const end = contracts.Answer.parse(trace.events.at(-1)?.detail["answer"]);
    assert.deepEqual(end.sections.map(({ worker }) => worker), WORKERS, "sections come in the plan's order");
  }
  assert.equal(orders.size, 5, "the orders were different ones");
});

Deno.test("30 such cells at once: each trace is its own, and the same as alone", async () => {
  const { crew, scenario } = crowd();
  const specs = Array.from({ length: 30 }, (_, i) => cellSpec(scenario, { crew, seed: `${i % 10}` }));
  const results = await runCells(specs, { jobs: 30, openLane: () => simLane() });
  const alone = new Map<string, string>();
  for (const { trace } of results) {
    const text = writeTrace(trace);
    checkTrace(text);
    const { seed } = trace.cell;
    assert.ok(trace.events.every(({ run }) => run === trace.events[0]?.run));
    const before = alone.get(seed) ?? writeTrace((await runOne(cellSpec(scenario, { crew, seed }))).trace);
    alone.set(seed, before);
    assert.equal(text, before);
  }
});
