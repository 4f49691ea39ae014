/**
 * Concurrent work may come to its end in any order: the canonical trace, span by span and without times, and every verdict
 * stay the same. All orders of three and of four workers, and seeded samples of everything else.
 */
import assert from "node:assert/strict";
import { simLane } from "../lanes/sim.ts";
import type { Scenario } from "../scenario/mod.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec, runOne, scenarioNamed } from "../testing/cells.ts";
import { canonicalDigest } from "../trace/canonical.ts";
import type { Trace } from "../trace/event.ts";

/** Healthy and broken runs of each crew that has several workers at once. */
const TOGETHER = [
  "healthy-desk",
  "broken-policy-server",
  "planner-names-a-poet",
  "healthy-research",
  "prices-fail",
  "healthy-review",
  "docs-inspection-fails",
];

const SEEDS = ["1", "2", "3"];

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Who works together: those who report in the superstep in which most do. */
function workersIn({ events }: Trace): string[] {
  const reports = events.filter(({ type, side }) => type === "report" && side === "subject");
  const steps = [...Map.groupBy(reports, ({ superstep }) => superstep).values()];
  return steps.sort((a, b) => b.length - a.length)[0]?.map(({ worker = "" }) => worker) ?? [];
}

/** The scenario in which these workers come to their end in this order. */
function inOrder(scenario: Scenario, order: readonly string[]): Scenario {
  const script = Object.fromEntries(
    Object.entries(scenario.script).map(([agent, turns]) => [
      agent,
      turns.map(({ takes: _, ...turn }, i) => {
        const rank = order.indexOf(agent);
        return i === 0 && rank >= 0 ? { ...turn, takes: 100 * (rank + 1) } : turn;
      }),
    ]),
  );
  return { ...scenario, script };
}

/** What must be the same: the verdicts, but for how long it took, and the canonical trace. */
async function told(scenario: Scenario, seed = "0") {
  const { trace, scorecard } = await runOne(cellSpec(scenario, { seed }), lane);
  const verdicts = scorecard.checks.filter(({ id }) => id !== "latency.makespan").map(({ id, outcome }) =>
    `${id} ${outcome}`
  );
  return { trace, verdicts, canonical: canonicalDigest(trace) };
}

await using lane = simLane();

for (const name of TOGETHER) {
  Deno.test(`${name}: every order in which its workers can end gives the same canonical trace and the same verdicts`, async () => {
    const scenario = scenarioNamed(name);
    const workers = workersIn((await told(scenario)).trace);
    assert.ok(workers.length >= 2, `${workers.length} workers`);
    const first = await told(inOrder(scenario, workers));
    for (const order of permutations(workers)) {
      const one = await told(inOrder(scenario, order));
      assert.deepEqual(workersIn(one.trace), order);
      assert.deepEqual(one.verdicts, first.verdicts, order.join());
      assert.equal(one.canonical, first.canonical, order.join());
    }
  });
}

Deno.test(`every scenario gives the same canonical trace and the same verdicts under another seed, one of ${SEEDS.length}`, async () => {
  const different: string[] = [];
  for (const [i, scenario] of SCENARIOS.entries()) {
    const first = await told(scenario);
    const seed = SEEDS[i % SEEDS.length] ?? "1";
    const one = await told(scenario, seed);
    const name = `${scenario.name}/${scenario.variant ?? ""} under seed ${seed}`;
    if (one.canonical !== first.canonical) different.push(`${name}: another canonical trace`);
    if (one.verdicts.join() !== first.verdicts.join()) different.push(`${name}: other verdicts`);
  }
  assert.deepEqual(different, []);
});
