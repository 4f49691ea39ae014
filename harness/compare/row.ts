/** One line of a comparison: one score, or the verdicts of the cells, over all pairs that have it. */
import { Random } from "../../core/mod.ts";
import type { ScoreUnit } from "../score/scores.ts";
import { pairedBootstrap } from "./bootstrap.ts";
import { detectableMean, detectableRate } from "./detectable.ts";
import { mcnemar } from "./mcnemar.ts";
import type { Pair } from "./pair.ts";
import { signFlipTest } from "./sign_flip.ts";

/** The level of every test, for the whole family of rows. */
export const ALPHA = 0.05;
/** The power that {@linkcode Measured.detectable} speaks of. */
export const POWER = 0.8;
/** Resamples of each interval of up to 2,000 pairs; above, where less is left to chance, a fifth is the least. */
export const RESAMPLES = 10_000;
/** So that tens of thousands of pairs take seconds, too. */
const MAX_DRAWS = 2000 * RESAMPLES;
/**
 * Fewest pairs of which anything can be shown: with five that all turn the same way the exact p is 2 / 2^5, above 0.05. No
 * interval is given below it either: a bootstrap of five values says more than it knows.
 */
export const MIN_PAIRS = 6;
/** The row of the cells' verdicts, pass or fail. */
export const VERDICTS = "verdict";

/** Which way is better. */
const MORE_IS_BETTER: Readonly<Record<ScoreUnit, boolean>> = {
  ratio: true,
  stretch: false,
  ms: false,
  tokens: false,
  usd: false,
  count: false,
};

/** The two values of a pair. */
interface Values {
  readonly pair: Pair;
  readonly a: number;
  readonly b: number;
}

/** What is measured of one score. Before the family is known: no verdict yet. Numbers have six significant digits. */
export interface Measured {
  /** Id of the score; `verdict` for pass or fail. */
  readonly scorer: string;
  /** What it counts. */
  readonly unit: ScoreUnit;
  /** Pairs that both have it. */
  readonly n: number;
  /** Pairs that are not counted, because one side or both do not have it. */
  readonly excluded: number;
  /** Mean of the baseline; of verdicts the share that passed. `null` without pairs. */
  readonly a: number | null;
  /** Mean of the other side. */
  readonly b: number | null;
  /** `b` less `a`, whatever is better. */
  readonly difference: number | null;
  /** Pairs in which the other side is better. */
  readonly better: number;
  /** Pairs in which it is worse. */
  readonly worse: number;
  /** Which way the difference goes; 0 for neither. */
  readonly gain: -1 | 0 | 1;
  /** Interval of the difference at 95 %; `null` below {@linkcode MIN_PAIRS}. */
  readonly interval: readonly [lower: number, upper: number] | null;
  /** Of this row alone: exact McNemar for verdicts, sign-flip test for scores. `null` without pairs. */
  readonly p: number | null;
  /** The smallest difference that would be shown four times in five; `null` where that cannot be said. */
  readonly detectable: number | null;
  /** The same test with all pairs of a scenario taken as one; `null` where each scenario has one pair. */
  readonly byScenario: { readonly n: number; readonly p: number } | null;
}

/** What random things are drawn with, by their use. */
type Draw = (use: "interval" | "test" | "scenarios") => { readonly random: Random; readonly resamples: number };

/**
 * Measures the verdicts, and every score that some cell has. Pairs with an error or an untestable verdict are not counted
 * among the verdicts; of a cell that the bench itself failed at no score is.
 *
 * @param seed Of everything random: the same seed gives the same numbers.
 */
export function measure(pairs: readonly Pair[], seed: string): Measured[] {
  const scorers = new Set(pairs.flatMap(({ a, b }) => [...a.scores.keys(), ...b.scores.keys()]));
  return [VERDICTS, ...scorers].map((scorer) => {
    // Each use has a sequence of its own: how much one draws does not move another.
    const draw: Draw = (use) => ({
      random: new Random(`${seed}:${scorer}:${use}`),
      resamples: resamplesOf(pairs.length),
    });
    return scorer === VERDICTS ? row(scorer, "ratio", verdicts(pairs), pairs.length, draw) : row(
      scorer,
      unitOf(scorer, pairs),
      scores(scorer, pairs),
      pairs.length,
      draw,
    );
  });
}

function resamplesOf(pairs: number): number {
  return Math.max(RESAMPLES / 5, Math.min(RESAMPLES, Math.floor(MAX_DRAWS / Math.max(1, pairs))));
}

function verdicts(pairs: readonly Pair[]): Values[] {
  return pairs.filter(isDecided).map((pair) => ({
    pair,
    a: +(pair.a.outcome === "pass"),
    b: +(pair.b.outcome === "pass"),
  }));
}

/** Whether both sides passed or failed. */
export function isDecided({ a, b }: Pair): boolean {
  return [a, b].every(({ outcome }) => outcome === "pass" || outcome === "fail");
}

function scores(scorer: string, pairs: readonly Pair[]): Values[] {
  return pairs.flatMap((pair): Values[] => {
    const [a, b] = [pair.a.scores.get(scorer), pair.b.scores.get(scorer)];
    if (pair.a.outcome === "error" || pair.b.outcome === "error") return [];
    if (a === undefined || b === undefined || a.unit !== b.unit || a.value === null || b.value === null) return [];
    return [{ pair, a: a.value, b: b.value }];
  });
}

function unitOf(scorer: string, pairs: readonly Pair[]): ScoreUnit {
  for (const { a, b } of pairs) {
    const score = a.scores.get(scorer) ?? b.scores.get(scorer);
    if (score !== undefined) return score.unit;
  }
  return "ratio";
}

function row(scorer: string, unit: ScoreUnit, values: readonly Values[], of: number, draw: Draw): Measured {
  const n = values.length;
  const differences = values.map(difference);
  const [up, down] = [differences.filter((one) => one > 0).length, differences.filter((one) => one < 0).length];
  const sum = total(differences);
  const isBinary = scorer === VERDICTS;
  const direction = Math.sign(sum) * (MORE_IS_BETTER[unit] ? 1 : -1);
  const p = n === 0 ? null : isBinary ? mcnemar(up, down) : signFlipTest(differences, draw("test"));
  const interval = n < MIN_PAIRS ? undefined : pairedBootstrap(differences, draw("interval"));
  const detectable = n < MIN_PAIRS
    ? undefined
    : isBinary
    ? detectableRate(n, Math.min(up, down) / n, { alpha: ALPHA, power: POWER })
    : detectableMean(differences, { alpha: ALPHA, power: POWER });
  return {
    scorer,
    unit,
    n,
    excluded: of - n,
    a: n === 0 ? null : round(total(values.map(({ a }) => a)) / n),
    b: n === 0 ? null : round(total(values.map(({ b }) => b)) / n),
    difference: n === 0 ? null : round(sum / n),
    better: MORE_IS_BETTER[unit] ? up : down,
    worse: MORE_IS_BETTER[unit] ? down : up,
    gain: direction > 0 ? 1 : direction < 0 ? -1 : 0,
    interval: interval === undefined ? null : [round(interval[0]), round(interval[1])],
    p: p === null ? null : round(p),
    detectable: detectable === undefined ? null : round(detectable),
    byScenario: byScenario(values, differences, draw),
  };
}

/** Two values that differ by rounding alone are equal. */
function difference({ a, b }: Values): number {
  return Math.abs(b - a) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) ? 0 : b - a;
}

function byScenario(values: readonly Values[], differences: readonly number[], draw: Draw): Measured["byScenario"] {
  const sums = new Map<string, number>();
  for (const [i, { pair: { scenario } }] of values.entries()) {
    sums.set(scenario, (sums.get(scenario) ?? 0) + (differences[i] ?? 0));
  }
  if (sums.size === values.length) return null;
  return { n: sums.size, p: round(signFlipTest([...sums.values()], draw("scenarios"))) };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Six significant digits: more would be noise of the floating point. */
export function round(value: number): number {
  return Number(value.toPrecision(6));
}
