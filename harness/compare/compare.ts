/** Compares two sides, pair by pair. Pure: the same cells and seed give the same comparison. */
import type { Outcome } from "../score/check.ts";
import { explain } from "./explain.ts";
import { findFlaky, type Flaky, taskId, trialsOf } from "./flaky.ts";
import { mcnemar } from "./mcnemar.ts";
import { type Pair, type Paired, pairUp } from "./pair.ts";
import { passHatK } from "./pass_k.ts";
import { isDecided, measure, round } from "./row.ts";
import type { Duel } from "./sides.ts";
import { type CompareVerdict, judge, overall, type Row } from "./verdict.ts";

/** A pair whose verdicts differ. */
export interface Change {
  /** The cell's name, without what the sides may differ in. */
  readonly id: string;
  /** The baseline's outcome. */
  readonly a: Outcome;
  /** The other side's. */
  readonly b: Outcome;
  /** Checks that came to something else; `null` on a side that does not have it. By the baseline's order. */
  readonly checks: readonly { readonly id: string; readonly a: Outcome | null; readonly b: Outcome | null }[];
}

/** pass^k of both sides, over the same groups. */
export interface PassK {
  /** How many trials in a row. */
  readonly k: number;
  /** Groups: (scenario, variant, lane); seeds and repeats are its trials. */
  readonly groups: number;
  /** The baseline's. */
  readonly a: number;
  /** The other side's. */
  readonly b: number;
}

/** A whole comparison. */
export interface Comparison {
  /** What the baseline is called. */
  readonly a: string;
  /** What is compared with it. */
  readonly b: string;
  /** Of all rows. */
  readonly verdict: CompareVerdict;
  /** What a person would say of it. */
  readonly message: string;
  /** What has to be known to read it right; one sentence each. */
  readonly notes: readonly string[];
  /** How many pairs there are. */
  readonly pairs: number;
  /** The verdicts first, then every score. */
  readonly rows: readonly Row[];
  /** Pairs of a pass and a fail. */
  readonly changed: readonly Change[];
  /** Pairs with an error or an untestable verdict on a side: not counted among the verdicts. */
  readonly excluded: readonly Change[];
  /** Cells of the baseline that have no partner. */
  readonly onlyA: readonly string[];
  /** Cells of the other side that have none. */
  readonly onlyB: readonly string[];
  /** Cells whose repeats disagree on a side. */
  readonly flaky: readonly Flaky[];
  /** For k = 1 and the largest k that every group allows; none where that is 1. */
  readonly passK: readonly PassK[];
}

/**
 * Compares two sides.
 *
 * @param seed Of the intervals and of tests that draw.
 */
export function compareSides(duel: Duel, seed = "0"): Comparison {
  const paired = pairUp(duel);
  const { pairs } = paired;
  const flaky = findFlaky(duel);
  const isFlaky = new Set(flaky.map(({ id }) => id));
  const decided = pairs.filter(isDecided);
  const differing = decided.filter(({ a, b }) => a.outcome !== b.outcome);
  const steady = differing.filter(({ group }) => !isFlaky.has(group));
  const rows = judge(measure(pairs, seed), differing.length - steady.length);
  const verdict = overall(rows);
  const turned = steady.filter(({ b }) => b.outcome === "pass").length;
  const facts = {
    rows,
    verdict,
    paired,
    excluded: pairs.length - decided.length,
    flakyPairs: differing.length - steady.length,
    steadyP: mcnemar(turned, steady.length - turned),
  };
  return {
    a: duel.a.label,
    b: duel.b.label,
    verdict,
    ...explain(facts),
    pairs: pairs.length,
    rows,
    changed: differing.map(change),
    excluded: pairs.filter((pair) => !isDecided(pair)).map(change),
    onlyA: paired.onlyA,
    onlyB: paired.onlyB,
    flaky,
    passK: passK(paired, duel),
  };
}

function change({ id, a, b }: Pair): Change {
  const ids = new Set([...a.checks.keys(), ...b.checks.keys()]);
  const checks = [...ids].map((check) => ({
    id: check,
    a: a.checks.get(check) ?? null,
    b: b.checks.get(check) ?? null,
  }));
  return { id, a: a.outcome, b: b.outcome, checks: checks.filter((one) => one.a !== one.b) };
}

/** Over pairs that both passed or failed, so that both sides are asked the same. */
function passK({ pairs }: Paired, { by }: Duel): PassK[] {
  const decided = pairs.filter(isDecided);
  const trials = (
    side: "a" | "b",
  ) => [...trialsOf(decided.map((pair) => pair[side]), (cell) => taskId(cell, by)).values()];
  const [a, b] = [trials("a"), trials("b")];
  const most = Math.min(...a.map(({ n }) => n));
  if (a.length === 0 || most < 2) return [];
  return [1, most].map((k) => ({ k, groups: a.length, a: round(passHatK(a, k)), b: round(passHatK(b, k)) }));
}
