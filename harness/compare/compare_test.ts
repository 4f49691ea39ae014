import assert from "node:assert/strict";
import { Random } from "../../core/mod.ts";
import { compareSides } from "./compare.ts";
import { sortedJson } from "../report/json.ts";
import { duelOfRuns, duelsInside } from "./sides.ts";
import { cellOf, duelOf } from "./testing.ts";

/** Twelve cells, one a scenario, with a score each. */
function scored(values: readonly (number | null)[], unit: "ratio" | "stretch" = "ratio") {
  return values.map((value, i) => cellOf({ scenario: `s${i}` }, "pass", { x: { value, unit } }));
}

Deno.test("compareSides() finds the other side worse where enough pairs turned red, and names them", () => {
  const { verdict, message, rows, changed } = compareSides(duelOf("pppppppppp", "ffffffpppp"));
  assert.equal(verdict, "worse");
  assert.equal(message, "B passes 40% where A passes 100% (0 better, 6 worse; p = 0.031 after Holm)");
  assert.equal(changed.length, 6);
  assert.deepEqual(changed[0], {
    id: "s0@sim",
    a: "pass",
    b: "fail",
    checks: [{ id: "answer.status", a: "pass", b: "fail" }],
  });
  assert.deepEqual(rows, [{
    scorer: "verdict",
    unit: "ratio",
    n: 10,
    excluded: 0,
    a: 1,
    b: 0.4,
    difference: -0.6,
    better: 0,
    worse: 6,
    gain: -1,
    interval: [-0.9, -0.3],
    p: 0.03125,
    detectable: 0.673172,
    byScenario: null,
    adjusted: 0.03125,
    verdict: "worse",
  }]);
});

Deno.test("compareSides() finds it better the other way round", () => {
  assert.equal(compareSides(duelOf("ffffffpppp", "pppppppppp")).verdict, "better");
});

Deno.test("compareSides() shows no difference of a run with itself, and says what it could have seen", () => {
  const { verdict, message } = compareSides(duelOf("p".repeat(100), "p".repeat(100)));
  assert.equal(verdict, "no difference shown");
  assert.match(
    message,
    /over 100 pairs \(verdict: 0 better, 0 worse\); one of 7\.8 points or more would be shown four times/,
  );
});

Deno.test("compareSides() has not enough data with five pairs, even if all turned red", () => {
  const { verdict, message, rows } = compareSides(duelOf("ppppp", "fffff"));
  assert.equal(verdict, "not enough data");
  assert.equal(message, "5 pairs cannot show a difference, even if all turned the same way; at least 6 are needed");
  assert.deepEqual([rows[0]?.p, rows[0]?.adjusted, rows[0]?.interval, rows[0]?.detectable], [0.0625, null, null, null]);
});

Deno.test("compareSides() needs more pairs the more scores are compared at once", () => {
  const worse = (outcome: "pass" | "fail", value: number) =>
    Array.from({ length: 6 }, (_, i) => cellOf({ scenario: `s${i}` }, outcome, { x: value, y: value }));
  const { verdict, message } = compareSides(duelOf(worse("pass", 1), worse("fail", 0)));
  assert.equal(verdict, "not enough data");
  assert.match(message, /at least 7 are needed for 3 scores at once/);
});

Deno.test("compareSides() is flaky where the pairs that differ are of cells whose repeats disagree", () => {
  const repeats = (scenario: string, outcomes: string) =>
    [...outcomes].map((letter, i) => cellOf({ scenario, repeat: i + 1 }, letter === "p" ? "pass" : "fail"));
  const steady = repeats("steady", "pppp");
  const { verdict, message, flaky, rows } = compareSides(duelOf(
    [...steady, ...repeats("shaky", "pppp")],
    [...steady, ...repeats("shaky", "pfpf")],
  ));
  assert.equal(verdict, "flaky");
  assert.match(message, /^2 of the 2 pairs that differ are of cells whose own repeats disagree/);
  assert.deepEqual(flaky, [{ id: "shaky@sim", a: { n: 4, passed: 4 }, b: { n: 4, passed: 2 } }]);
  assert.deepEqual(rows[0]?.byScenario, { n: 2, p: 1 });
});

Deno.test("compareSides() lets a difference that is shown stand over flaky cells, and says that it rests on them", () => {
  const side = (outcomes: string) =>
    Array.from(
      { length: 8 },
      (_, i) =>
        [...outcomes].map((letter, j) =>
          cellOf({ scenario: `s${i}`, repeat: j + 1 }, letter === "p" ? "pass" : "fail")
        ),
    ).flat();
  const { verdict, notes, passK } = compareSides(duelOf(side("ppp"), side("ppf")));
  assert.equal(verdict, "worse");
  assert.deepEqual(notes, ["verdict: it rests on cells whose own repeats disagree; without them p = 1.000."]);
  assert.deepEqual(passK, [{ k: 1, groups: 8, a: 1, b: 0.666667 }, { k: 3, groups: 8, a: 1, b: 0 }]);
});

Deno.test("compareSides() says when many pairs are of few scenarios", () => {
  const side = (outcome: "pass" | "fail") =>
    ["s", "t"].flatMap((scenario) => ["1", "2", "3", "4", "5"].map((seed) => cellOf({ scenario, seed }, outcome)));
  const { verdict, notes } = compareSides(duelOf(side("pass"), side("fail")));
  assert.equal(verdict, "worse");
  assert.match(notes.join(), /the 10 pairs are of 2 scenarios\. .* with each scenario taken as one, p = 0\.500/);
});

Deno.test("compareSides() counts errors and untestable verdicts apart, and lists them", () => {
  const { rows: [row], excluded, notes, changed } = compareSides(duelOf("pppppppppp", "eufppppppp"));
  assert.deepEqual([row?.n, row?.excluded, row?.worse, row?.b], [8, 2, 1, 0.875]);
  assert.deepEqual(excluded.map(({ id, a, b }) => [id, a, b]), [["s0@sim", "pass", "error"], [
    "s1@sim",
    "pass",
    "untestable",
  ]]);
  assert.equal(changed.length, 1);
  assert.match(notes.join(), /^2 pairs with an error or an untestable verdict on a side/);
});

Deno.test("compareSides() lists cells that are on one side only", () => {
  const { onlyA, onlyB, pairs, notes } = compareSides(duelOf(
    [cellOf({}), cellOf({ variant: "v" }), cellOf({ lane: "wire" })],
    [cellOf({}), cellOf({ seed: "7" }), cellOf({ repeat: 2 })],
  ));
  assert.equal(pairs, 1);
  assert.deepEqual([onlyA, onlyB], [["s/v@sim", "s@wire"], ["s@sim,repeat=2", "s@sim,seed=7"]]);
  assert.deepEqual(notes, ["4 cells on one side only, compared with nothing."]);
});

Deno.test("compareSides() compares scores by their unit: less stretch is better, less of a ratio worse", () => {
  const [low, high] = [Array(12).fill(0.5), Array(12).fill(0.75)];
  const verdictOf = (unit: "ratio" | "stretch") =>
    compareSides(duelOf(scored(high, unit), scored(low, unit))).rows.find(({ scorer }) => scorer === "x")?.verdict;
  assert.deepEqual([verdictOf("ratio"), verdictOf("stretch")], ["worse", "better"]);
});

Deno.test("compareSides() leaves out scores that a side does not have, and counts them", () => {
  const a = scored([1, 1, null, 1, 1, 1, 1, 1, 1, 1]);
  const b = scored([0, 0, 0, 0, 0, 0, 0, 0, null, 0]);
  const { rows, verdict } = compareSides(duelOf(a, b));
  const row = rows.find(({ scorer }) => scorer === "x");
  assert.deepEqual([row?.n, row?.excluded, row?.worse, row?.difference, row?.interval], [8, 2, 8, -1, [-1, -1]]);
  assert.equal(verdict, "worse");
});

Deno.test("compareSides() takes no score of a cell that the bench failed at, nor of another unit", () => {
  const a = scored(Array(8).fill(1));
  const b = a.map((cell, i) => i === 0 ? { ...cell, outcome: "error" as const } : cell);
  assert.equal(compareSides(duelOf(a, b)).rows[1]?.n, 7);
  assert.equal(compareSides(duelOf(a, scored(Array(8).fill(1), "stretch"))).rows[1]?.n, 0);
});

Deno.test("compareSides() holds that a side is worse which is worse in one score and better in another", () => {
  const side = (x: number, y: number) =>
    Array.from({ length: 12 }, (_, i) => cellOf({ scenario: `s${i}` }, "pass", { x, y }));
  const { verdict, message } = compareSides(duelOf(side(0.5, 0.5), side(1, 0.25)));
  assert.equal(verdict, "worse");
  assert.match(message, /^y is worse: B has 0\.250 where A has 0\.500 .*; x is better: B has 1\.000/);
});

Deno.test("compareSides() does not let a score with too few pairs burden the others", () => {
  const a = [...scored(Array(6).fill(null)), cellOf({ scenario: "few" }, "pass", { x: 1 })];
  const b = a.map((cell, i) => i < 6 ? { ...cell, outcome: "fail" as const } : cell);
  const { rows } = compareSides(duelOf(a, b));
  assert.deepEqual(rows.map(({ n, verdict, adjusted }) => [n, verdict, adjusted]), [
    [7, "worse", 0.03125],
    [1, "not enough data", null],
  ]);
});

Deno.test("compareSides() gives the same bytes each time, whatever the order of the cells", () => {
  const random = new Random("cells");
  const side = () =>
    Array.from(
      { length: 40 },
      (_, i) =>
        cellOf({ scenario: `s${i % 20}`, repeat: 1 + Math.floor(i / 20) }, random.next() < 0.7 ? "pass" : "fail", {
          x: random.next(),
          y: { value: 1 + random.next(), unit: "stretch" },
        }),
    );
  const [a, b] = [side(), side()];
  const once = compareSides(duelOf(a, b));
  const { verdict, rows } = once;
  assert.deepEqual([verdict, rows.map(({ interval }) => interval)], GOLDEN);
  assert.equal(sortedJson(compareSides(duelOf(random.shuffle(a), random.shuffle(b)))), sortedJson(once));
  const other = compareSides(duelOf(a, b), "1");
  assert.notDeepEqual(other.rows[1]?.interval, rows[1]?.interval);
  assert.deepEqual(other.rows.map(({ difference }) => difference), rows.map(({ difference }) => difference));
});

const GOLDEN = ["flaky", [[-0.075, 0.35], [-0.23571, 0.010833], [-0.0734139, 0.155667]]];

Deno.test("duelOfRuns() compares one subject with another of any name, and several each with its namesake", () => {
  const side = (label: string, ...subjects: string[]) => ({
    label,
    cells: subjects.map((subject) => cellOf({ subject })),
  });
  const one = compareSides(duelOfRuns(side("a", "old"), side("b", "new")));
  assert.deepEqual([one.pairs, one.onlyA, one.onlyB], [1, [], []]);
  const several = compareSides(duelOfRuns(side("a", "x", "y"), side("b", "y", "z")));
  assert.deepEqual([several.pairs, several.onlyA, several.onlyB], [1, ["s@sim,subject=x"], ["s@sim,subject=z"]]);
});

Deno.test("duelsInside() compares every subject with the first, each model with itself", () => {
  const cells = ["ref", "liar", "storm"].flatMap((subject) => ["m", "n"].map((model) => cellOf({ subject, model })));
  const duels = duelsInside(cells, "subject");
  assert.deepEqual(duels.map(({ a, b }) => [a.label, b.label]), [["ref", "liar"], ["ref", "storm"]]);
  assert.deepEqual(duels.map((duel) => compareSides(duel).pairs), [2, 2]);
  assert.deepEqual(duelsInside(cells, "subject", "storm").map(({ b }) => b.label), ["ref", "liar"]);
  assert.throws(() => duelsInside(cells, "subject", "lair"), /no subject "lair"; there are ref, liar, storm/);
  assert.throws(() => duelsInside(cells.slice(0, 1), "model"), /two models at least to compare, and it has m/);
});
