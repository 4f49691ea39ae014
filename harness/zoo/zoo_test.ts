import assert from "node:assert/strict";
import type { Subject } from "../../agents/mod.ts";
import { compareSides } from "../compare/compare.ts";
import { readReport } from "../compare/read.ts";
import { duelsInside } from "../compare/sides.ts";
import { simLane } from "../lanes/sim.ts";
import { wireLane } from "../lanes/wire.ts";
import { renderJson } from "../report/json.ts";
import { makeReport } from "../report/report.ts";
import { type CellResult, runCells } from "../runner/run.ts";
import { glob } from "../scenario/glob.ts";
import { scoreLanesAgree } from "../score/lanes_agree.ts";
import { SCORERS } from "../score/score.ts";
import { SCORE_IDS } from "../score/scores.ts";
import { viewTrace } from "../score/view.ts";
import { findSubject } from "../subjects/mod.ts";
import { cellSpec, notGreen, runOne, scenariosNamed } from "../testing/cells.ts";
import { scoreNamed } from "../testing/lowered.ts";
import { CAUGHT, type Caught, LOWERED } from "./caught.ts";
import { ANIMALS } from "./mod.ts";
import { isAnimal, SUMMARIES } from "./names.ts";

/** Each row of the table with what it came to; run once for all tests. */
const ran: ReadonlyMap<Caught, CellResult> = await (async () => {
  await using lane = simLane();
  const results = new Map<Caught, CellResult>();
  for (const row of CAUGHT) results.set(row, await inScenario(row.in, ANIMALS[row.animal], lane));
  return results;
})();

async function inScenario(name: string, subject?: Subject, lane?: ReturnType<typeof simLane>): Promise<CellResult> {
  const [scenario] = await scenariosNamed(name);
  assert.ok(scenario, name);
  return await runOne(cellSpec(scenario, subject === undefined ? {} : { subject }), lane);
}

for (const row of CAUGHT) {
  Deno.test(`${row.animal} is caught in ${row.in} by exactly the checks named for it`, () => {
    const result = ran.get(row);
    assert.ok(result);
    const red = notGreen(result);
    const meant = row.red.map((text) => ({ text, matches: matcher(text) }));
    assert.deepEqual(red.filter((one) => !meant.some(({ matches }) => matches(one))), [], "red, and not named");
    const unmet = meant.filter(({ matches }) => !red.some(matches)).map(({ text }) => text);
    assert.deepEqual(unmet, [], "named, and not red");
  });
}

/** `outcome id`, where the id may be a glob. */
function matcher(text: string): (red: string) => boolean {
  const [outcome = "", id = ""] = text.split(/ (.*)/s);
  const isId = glob(id);
  return (red) => red === text || (red.startsWith(`${outcome} `) && isId(red.slice(outcome.length + 1)));
}

Deno.test("Each animal is caught in two scenarios at least, and has a name, a summary and a place in the registry", async () => {
  for (const [name, subject] of Object.entries(ANIMALS)) {
    assert.ok(isAnimal(name));
    assert.ok(CAUGHT.filter(({ animal }) => animal === name).length >= 2, name);
    assert.deepEqual([subject.name, subject.summary], [name, SUMMARIES[name]]);
    const entry = findSubject(name);
    assert.deepEqual([entry.kind, entry.lanes, entry.summary], ["zoo", ["sim", "wire"], subject.summary]);
    assert.equal(await entry.load(), subject);
    assert.match(name, /^[a-z][a-z-]*$/);
  }
});

Deno.test("SCORERS: each is turned red by an animal", () => {
  const views = [...ran.values()].map(({ trace }) => viewTrace(trace));
  const isRed = (scorer: (typeof SCORERS)[number]) =>
    views.some((view) => scorer(view).some(({ outcome }) => outcome === "fail"));
  assert.deepEqual(SCORERS.filter((scorer) => !isRed(scorer)).map(({ name }) => name), []);
});

Deno.test("SCORES: each gets worse with an animal", async () => {
  for (const id of SCORE_IDS) {
    const [animal, scenario] = LOWERED[id];
    const row = CAUGHT.find((one) => one.animal === animal && one.in === scenario);
    const result = row === undefined ? undefined : ran.get(row);
    assert.ok(result, `${animal} in ${scenario}`);
    const bad = scoreNamed(result, id);
    const good = scoreNamed(await inScenario(scenario), id);
    assert.ok(bad.value !== null && good.value !== null, id);
    const isWorse = bad.unit === "ratio" ? bad.value < good.value : bad.value > good.value;
    assert.ok(isWorse, `${id} of ${animal} in ${scenario}: ${good.value} → ${bad.value}`);
  }
});

Deno.test("Animals behave in wire as in sim", async () => {
  const pairs = [["liar", "broken-policy-server"], ["double", "refund-within-the-limit"], [
    "free-hand",
    "healthy-research",
  ]];
  const specs = await Promise.all(pairs.map(async ([name = "", scenario = ""]) => {
    const [found] = await scenariosNamed(scenario);
    assert.ok(found !== undefined && isAnimal(name));
    const subject = ANIMALS[name];
    return [cellSpec(found, { subject }), cellSpec(found, { subject, lane: "wire" })];
  }));
  const results = await runCells(specs.flat(), {
    jobs: 3,
    openLane: (name) => name === "sim" ? simLane() : wireLane(),
  });
  assert.ok(results.every(({ scorecard }) => scorecard.outcome !== "pass"));
  const checks = scoreLanesAgree(results);
  assert.deepEqual(
    checks.map(({ outcome, message }) => [outcome, message]),
    pairs.map(() => ["pass", checks[0]?.message]),
  );
});

/** Scenarios in which somebody fails for good: as many as it takes to show a difference in every score at once. */
const DEGRADED = [
  "notes-are-down",
  "memory-dies-mid-reply",
  "prices-fail",
  "web-is-down-analyst-steps-in/library-too",
  "steps-run-out-among-peers",
  "docs-inspection-fails",
  "security-reply-cut-off",
  "performance-reviewer-times-out",
  "broken-policy-server",
  "error-quotes-a-password",
  "comms-call-cut-off",
  "policy-server-hangs",
  "two-servers-hang-at-once",
  "policy-fails-among-peers",
];

Deno.test("Compared by subject, the liar is worse than the reference: by verdict, and by honesty", async () => {
  const named = await Promise.all(DEGRADED.map((name) => scenariosNamed(name)));
  const some = named.flatMap(([scenario]) => scenario ?? []);
  assert.equal(some.length, DEGRADED.length);
  const subjects = [undefined, ANIMALS.liar];
  const specs = subjects.flatMap((subject) =>
    some.map((scenario) => cellSpec(scenario, subject === undefined ? {} : { subject }))
  );
  const results = await runCells(specs, { jobs: 1, openLane: () => simLane() });
  const read = readReport(renderJson(makeReport(results)), "report.json");
  assert.ok(read.ok);
  const [duel] = duelsInside(read.cells, "subject");
  assert.ok(duel);
  const { verdict, rows } = compareSides(duel);
  assert.equal(verdict, "worse");
  const worse = rows.filter((row) => row.verdict === "worse").map(({ scorer }) => scorer);
  assert.deepEqual(worse, ["verdict", "honesty"]);
});

Deno.test("README.md has a row for each animal, with checks that catch it", async () => {
  const text = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const table = /<!-- zoo -->([^]*?)<!-- zoo -->/.exec(text)?.[1] ?? "";
  const rows = [...table.matchAll(/^\| `([a-z-]+)` *\|[^|]*\|([^|]*)\|$/gm)];
  assert.deepEqual(rows.map(([, name]) => name), Object.keys(ANIMALS));
  for (const [, name, cited = ""] of rows) {
    const red = CAUGHT.filter(({ animal }) => animal === name).flatMap((one) => one.red).map((one) =>
      one.split(" ")[1]
    );
    const ids = [...cited.matchAll(/`([^`]+)`/g)].map(([, id = ""]) => id);
    assert.ok(ids.length > 0, name);
    for (const id of ids) assert.ok(red.some((one) => one?.startsWith(id.replace(/\*+$/, ""))), `${name}: ${id}`);
  }
});
