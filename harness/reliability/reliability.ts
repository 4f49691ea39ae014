/**
 * What shows only over many cells: whether the same thing comes out again, over seeds, schedules and repeats, and what
 * becomes of what faults break.
 */
import { Random } from "../../core/mod.ts";
import { pairedBootstrap } from "../compare/bootstrap.ts";
import { passHatK, type Trials } from "../compare/pass_k.ts";
import { tally } from "../score/check.ts";
import type { Outcome } from "../score/check.ts";
import type { ScoreUnit } from "../score/scores.ts";
import { type Cell, cellId } from "../trace/event.ts";
import type { Fate, Persistence, Visibility } from "./parts.ts";
import type { CellRow } from "./row.ts";
import { type Interval, wilson } from "./wilson.ts";

/** A proportion with its interval at 95 % (Wilson). */
export interface Rate {
  /** How many there are. */
  readonly n: number;
  /** How many of them count. */
  readonly hits: number;
  /** hits / n; `null` where there is nothing. */
  readonly rate: number | null;
  /** Lower and upper end at 95 %; `null` where there is nothing. */
  readonly interval: Interval | null;
}

/** pass^k for one k. */
export interface PassK {
  /** How many trials are drawn, from 1. */
  readonly k: number;
  /** `null` where some scenario has fewer than k trials. */
  readonly value: number | null;
}

/** What became of the parts that faults of one quadrant broke. */
export interface Recovery extends Rate {
  /** Whether whoever is struck is told. */
  readonly visibility: Visibility;
  /** Whether trying again can get past it. */
  readonly persistence: Persistence;
  /** Parts by fate; `hits` are those that were recovered. What stands in is no recovery, and is apart. */
  readonly fates: Readonly<Record<Fate, number>>;
}

/** One score over all cells that have it. */
export interface Spread {
  /** The score. */
  readonly id: string;
  /** What it counts. */
  readonly unit: ScoreUnit;
  /** Cells that have it. */
  readonly n: number;
  /** Cells that do not. */
  readonly without: number;
  /** Mean over scenarios of the mean over their trials: one that was run more often counts no more. */
  readonly mean: number;
  /** The worst cell's. */
  readonly worst: number;
  /** Name of the worst cell; of equals, the first by name. */
  readonly worstCell: string;
  /** Largest difference between trials of one scenario; `null` where nothing was tried twice. */
  readonly range: number | null;
  /**
   * Interval of the mean at 95 % (bootstrap, seeded: the same cells give the same numbers), over scenarios; below six of
   * them over repeats, each as a whole, so that it speaks of these scenarios alone. `null` where nothing was tried twice,
   * and where there are neither six scenarios nor six repeats of each.
   */
  readonly interval: Interval | null;
}

/** Figures of one subject with one model in one lane. */
export interface Reliability {
  /** Where the cells ran. */
  readonly lane: Cell["lane"];
  /** Name of the system under test. */
  readonly subject: string;
  /** Name of the model. */
  readonly model: string;
  /** Cells by outcome. Errors and what is untestable are no trials. */
  readonly cells: Readonly<Record<Outcome, number>>;
  /** Scenarios, each variant for itself, that have a trial. */
  readonly scenarios: number;
  /** Trials of the scenario that has fewest. */
  readonly trials: number;
  /** Trials that passed. */
  readonly passed: Rate;
  /** In the order of k. */
  readonly passHatK: readonly PassK[];
  /** Scenarios that passed and failed, by name. */
  readonly unsteady: readonly string[];
  /** The four quadrants, always all. */
  readonly recovery: readonly Recovery[];
  /** In the order of ids. */
  readonly scores: readonly Spread[];
}

/** Options of {@linkcode reliabilityOf}. */
export interface ReliabilityOptions {
  /**
   * Each k of pass^k, from 1.
   *
   * @default [1, 2, 4, 8]
   */
  readonly k?: readonly number[];
}

/** Fewest scenarios, or repeats, of which an interval is given: a bootstrap of five says more than it knows. */
const MIN_DRAWN = 6;

const QUADRANTS = [
  ["explicit", "transient"],
  ["explicit", "permanent"],
  ["implicit", "transient"],
  ["implicit", "permanent"],
] as const;

/**
 * Figures for each (lane, subject, model) of a set of cells, in that order; the order of the cells makes no difference.
 *
 * pass^k is the mean over scenarios of C(c, k) / C(n, k), where c of n trials passed (Yao et al. 2024, tau-bench): the
 * chance that k trials drawn from those there are all pass, which is unbiased, unlike the pass rate to the power of k. It
 * is `null` where a scenario has fewer than k trials. Trials are the cells of a scenario's variant that passed or failed,
 * whatever their seed and repeat.
 */
export function reliabilityOf(rows: readonly CellRow[], options: ReliabilityOptions = {}): Reliability[] {
  const sorted = rows.toSorted((a, b) => compare(cellId(a.cell), cellId(b.cell)));
  const sides = Map.groupBy(sorted, ({ cell: { lane, subject, model } }) => JSON.stringify([lane, subject, model]));
  return [...sides].sort(([a], [b]) => compare(a, b)).flatMap(([, own]) => {
    const [first] = own;
    return first === undefined ? [] : [ofSide(first.cell, own, options)];
  });
}

function ofSide(
  { lane, subject, model }: Cell,
  rows: readonly CellRow[],
  { k: ks = [1, 2, 4, 8] }: ReliabilityOptions,
): Reliability {
  const decided = rows.filter(({ outcome }) => outcome === "pass" || outcome === "fail");
  const groups = [...Map.groupBy(decided, groupOf)].map(([name, own]) => ({
    name,
    n: own.length,
    passed: own.filter(({ outcome }) => outcome === "pass").length,
  }));
  const trials = groups.length === 0 ? 0 : Math.min(...groups.map(({ n }) => n));
  return {
    ...{ lane, subject, model },
    cells: tally(rows.map(({ outcome }) => outcome)),
    scenarios: groups.length,
    trials,
    passed: rate(decided.filter(({ outcome }) => outcome === "pass").length, decided.length),
    passHatK: ks.map((k): PassK => ({ k, value: passK(groups, k, trials) })),
    unsteady: groups.filter(({ n, passed }) => passed > 0 && passed < n).map(({ name }) => name),
    recovery: QUADRANTS.map(([visibility, persistence]) => recovery(rows, visibility, persistence)),
    scores: spreads(rows),
  };
}

function passK(groups: readonly Trials[], k: number, trials: number): number | null {
  return groups.length === 0 || trials < k ? null : round(passHatK(groups, k));
}

/** Of a cell that the bench itself failed at, nothing is known. */
function recovery(rows: readonly CellRow[], visibility: Visibility, persistence: Persistence): Recovery {
  const fates = { recovered: 0, substituted: 0, disclosed: 0, passed_on: 0 };
  for (const { outcome, parts } of rows) {
    if (outcome === "error") continue;
    for (const part of parts) {
      if (part.visibility === visibility && part.persistence === persistence) fates[part.fate]++;
    }
  }
  const n = fates.recovered + fates.substituted + fates.disclosed + fates.passed_on;
  return { visibility, persistence, ...rate(fates.recovered, n), fates };
}

function spreads(rows: readonly CellRow[]): Spread[] {
  const units = new Map(rows.flatMap(({ scores }) => scores.map(({ id, unit }) => [id, unit] as const)));
  return [...units].sort(([a], [b]) => compare(a, b)).flatMap(([id, unit]): Spread[] => {
    const values = rows.filter(({ outcome }) => outcome !== "error").flatMap((row) => {
      const value = row.scores.find((score) => score.id === id && score.unit === unit)?.value ?? null;
      return value === null ? [] : [{ row, value, cell: cellId(row.cell) }];
    });
    const groups = [...Map.groupBy(values, ({ row }) => groupOf(row)).values()].map((own) =>
      own.map(({ value }) => value)
    );
    const isWorse = (a: number, b: number) => unit === "ratio" ? a < b : a > b;
    const [first, ...rest] = values;
    if (first === undefined) return [];
    const worst = rest.reduce((most, one) => isWorse(one.value, most.value) ? one : most, first);
    const ranges = groups.filter((own) => own.length > 1).map((own) => Math.max(...own) - Math.min(...own));
    return [{
      ...{ id, unit },
      n: values.length,
      without: rows.length - values.length,
      mean: round(mean(groups.map(mean))),
      interval: ranges.length === 0 ? null : intervalOf(id, groups),
      worst: round(worst.value),
      worstCell: worst.cell,
      range: ranges.length === 0 ? null : round(Math.max(...ranges)),
    }];
  });
}

function intervalOf(id: string, groups: readonly (readonly number[])[]): Interval | null {
  const means = groups.length >= MIN_DRAWN ? groups.map(mean) : repeatMeans(groups);
  if (means.length < MIN_DRAWN) return null;
  // Of thousands of repeats fewer resamples do: each says more, and takes longer.
  const resamples = Math.min(10_000, Math.max(1000, Math.floor(5_000_000 / means.length)));
  const ends = pairedBootstrap(means, { random: new Random(`reliability:${id}`), resamples });
  return ends === undefined ? null : [round(ends[0]), round(ends[1])];
}

/** The mean over all groups of each of their trials; nothing where one has fewer than another. */
function repeatMeans(groups: readonly (readonly number[])[]): number[] {
  const [first = []] = groups;
  if (groups.some((own) => own.length !== first.length)) return [];
  return first.map((_, i) => mean(groups.map((own) => own[i] ?? 0)));
}

function groupOf({ cell: { scenario, variant } }: CellRow): string {
  return variant === null ? scenario : `${scenario}/${variant}`;
}

function rate(hits: number, n: number): Rate {
  const ends = wilson(hits, n);
  return {
    ...{ n, hits },
    rate: n === 0 ? null : round(hits / n),
    interval: ends === null ? null : [round(ends[0]), round(ends[1])],
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Six significant digits: more would be noise of the floating point. */
function round(value: number): number {
  return Number(value.toPrecision(6));
}

/** By UTF-16 units: the same in every locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
