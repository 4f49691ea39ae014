import assert from "node:assert/strict";
import type { Outcome } from "../score/check.ts";
import type { Cell } from "../trace/event.ts";
import type { FaultedPart } from "./parts.ts";
import { type Reliability, reliabilityOf } from "./reliability.ts";
import type { CellRow } from "./row.ts";

const CELL: Cell = {
  scenario: "a",
  variant: null,
  lane: "sim",
  subject: "reference",
  model: "scripted",
  seed: "0",
  repeat: 1,
};

interface Some extends Partial<Cell> {
  readonly outcome?: Outcome;
  readonly honesty?: number | null;
  readonly stretch?: number;
  readonly parts?: readonly FaultedPart[];
}

function row({ outcome = "pass", honesty, stretch, parts = [], ...cell }: Some): CellRow {
  return {
    cell: { ...CELL, ...cell },
    outcome,
    scores: [
      ...(honesty === undefined ? [] : [{ id: "honesty", unit: "ratio", value: honesty } as const]),
      ...(stretch === undefined ? [] : [{ id: "latency", unit: "stretch", value: stretch } as const]),
    ],
    makespan: 0,
    faults: 0,
    parts,
  };
}

function one(rows: readonly CellRow[], k?: readonly number[]): Reliability {
  const [only, ...more] = reliabilityOf(rows, k === undefined ? {} : { k });
  assert.ok(only !== undefined && more.length === 0);
  return only;
}

const outcomes = (scenario: string, ...all: Outcome[]) =>
  all.map((outcome, i) => row({ scenario, outcome, seed: `${i}` }));

Deno.test("reliabilityOf() gives pass^k over seeds, as tau-bench defines it", () => {
  const rows = [...outcomes("a", "pass", "pass", "pass", "fail"), ...outcomes("b", "pass", "pass", "pass", "pass")];
  const { passHatK, trials, scenarios, unsteady, passed } = one(rows, [1, 2, 4, 5]);
  // C(3, 2) / C(4, 2) is 1/2, and C(4, 2) / C(4, 2) is 1.
  assert.deepEqual(passHatK, [
    { k: 1, value: 0.875 },
    { k: 2, value: 0.75 },
    { k: 4, value: 0.5 },
    { k: 5, value: null },
  ]);
  assert.deepEqual([trials, scenarios, unsteady], [4, 2, ["a"]]);
  assert.deepEqual([passed.hits, passed.n, passed.rate], [7, 8, 0.875]);
});

Deno.test("reliabilityOf() takes repeats for trials, and errors and what is untestable for none", () => {
  const rows = [
    row({ repeat: 1 }),
    row({ repeat: 2, outcome: "error" }),
    row({ repeat: 3, outcome: "untestable" }),
    row({ variant: "b", outcome: "error" }),
  ];
  const { cells, passed, trials, scenarios, passHatK } = one(rows, [1, 2]);
  assert.deepEqual(cells, { pass: 1, fail: 0, error: 2, untestable: 1 });
  assert.deepEqual([passed.n, trials, scenarios], [1, 1, 1]);
  assert.deepEqual(passHatK.map(({ value }) => value), [1, null]);
});

Deno.test("reliabilityOf() gives each lane, subject and model figures of its own", () => {
  const rows = [row({ lane: "wire" }), row({ subject: "liar", outcome: "fail" }), row({ model: "live" }), row({})];
  const names = reliabilityOf(rows).map(({ lane, subject, model, passed }) => [lane, subject, model, passed.hits]);
  assert.deepEqual(names, [
    ["sim", "liar", "scripted", 0],
    ["sim", "reference", "live", 1],
    ["sim", "reference", "scripted", 1],
    ["wire", "reference", "scripted", 1],
  ]);
});

Deno.test("reliabilityOf() tells mean, worst and range of a score, of each scenario's trials first", () => {
  const rows = [
    row({ scenario: "a", seed: "1", honesty: 1, stretch: 1 }),
    row({ scenario: "a", seed: "2", honesty: 0.5, stretch: 3 }),
    row({ scenario: "b", seed: "1", honesty: 0.25, stretch: 1 }),
    row({ scenario: "c", seed: "1", honesty: null }),
    row({ scenario: "d", outcome: "error", honesty: 0 }),
  ];
  const [honesty, latency] = one(rows).scores;
  assert.deepEqual(honesty, {
    id: "honesty",
    unit: "ratio",
    n: 3,
    without: 2,
    mean: 0.5,
    worst: 0.25,
    worstCell: "b@sim,seed=1",
    range: 0.5,
    interval: null,
  });
  assert.deepEqual([latency?.worst, latency?.worstCell, latency?.mean], [3, "a@sim,seed=2", 1.5]);
});

Deno.test("reliabilityOf() gives an interval where scenarios were tried again, and none where they were not", () => {
  const many = (seeds: readonly string[]) =>
    [0.1, 0.9, 0.4, 0.6, 0.2, 0.8].flatMap((honesty, i) =>
      seeds.map((seed) => row({ scenario: `s${i}`, seed, honesty }))
    );
  const [again] = one(many(["0", "1"])).scores;
  const [lower = NaN, upper = NaN] = again?.interval ?? [];
  assert.ok(0.1 < lower && lower < 0.5 && 0.5 < upper && upper < 0.9);
  assert.equal(one(many(["0"])).scores[0]?.interval, null);
});

Deno.test("reliabilityOf() gives an interval over repeats where there are few scenarios, from six repeats of each on", () => {
  const values = [0.2, 0.4, 0.6, 0.8, 1, 0.6];
  const repeats = (n: number, scenarios: readonly string[] = ["a"]) =>
    scenarios.flatMap((scenario) => values.slice(0, n).map((honesty, i) => row({ scenario, repeat: i + 1, honesty })));
  const [spread] = one(repeats(6)).scores;
  const [lower = NaN, upper = NaN] = spread?.interval ?? [];
  assert.equal(spread?.mean, 0.6);
  assert.ok(0.2 < lower && lower < 0.6 && 0.6 < upper && upper < 1, `${lower} to ${upper}`);
  assert.deepEqual(one(repeats(6, ["a", "b"])).scores[0]?.interval, spread?.interval, "a repeat is drawn as a whole");
  assert.equal(one(repeats(5)).scores[0]?.interval, null);
  const uneven = [...repeats(6), ...repeats(5, ["b"])];
  assert.equal(one(uneven).scores[0]?.interval, null, "one of them has fewer");
  const same = values.map((_, i) => row({ repeat: i + 1, honesty: 0.5 }));
  assert.deepEqual(one(same).scores[0]?.interval, [0.5, 0.5]);
});

Deno.test("reliabilityOf() counts what became of parts by quadrant, and what stands in is no recovery", () => {
  const part = (fate: FaultedPart["fate"], kind: Partial<FaultedPart> = {}): FaultedPart => ({
    ...{ task: "t", who: "w", visibility: "explicit", persistence: "transient", fate },
    ...kind,
  });
  const rows = [
    row({ parts: [part("recovered"), part("substituted"), part("recovered")] }),
    row({
      seed: "1",
      parts: [part("disclosed"), part("passed_on", { visibility: "implicit", persistence: "permanent" })],
    }),
    row({ seed: "2", outcome: "error", parts: [part("recovered")] }),
  ];
  const [first, second, third, fourth] = one(rows).recovery;
  assert.deepEqual([first?.n, first?.hits, first?.rate], [4, 2, 0.5]);
  assert.deepEqual(first?.fates, { recovered: 2, substituted: 1, disclosed: 1, passed_on: 0 });
  assert.deepEqual([second?.rate, second?.interval, third?.n], [null, null, 0]);
  assert.deepEqual([fourth?.visibility, fourth?.persistence, fourth?.rate], ["implicit", "permanent", 0]);
});

Deno.test("reliabilityOf() gives the same whatever the order of the cells, and nothing of nothing", () => {
  const rows = ["0", "1", "2"].flatMap((seed) =>
    [0.1, 0.7, 0.3, 0.2, 0.9, 0.4].map((honesty, i) => row({ scenario: `s${i}`, seed, honesty, stretch: 1 + i / 3 }))
  );
  assert.deepEqual(reliabilityOf(rows.toReversed()), reliabilityOf(rows));
  assert.deepEqual(reliabilityOf(rows), reliabilityOf(rows));
  assert.deepEqual(reliabilityOf([]), []);
});
