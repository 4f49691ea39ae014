/** From what was measured to a verdict. */
import { holm } from "./holm.ts";
import { ALPHA, type Measured, MIN_PAIRS, round, VERDICTS } from "./row.ts";

/** What a comparison comes to. */
export const COMPARE_VERDICTS = ["better", "worse", "no difference shown", "not enough data", "flaky"] as const;
/** One of {@linkcode COMPARE_VERDICTS}. */
export type CompareVerdict = (typeof COMPARE_VERDICTS)[number];

/** A row with its verdict. */
export interface Row extends Measured {
  /** `p` after Holm, over all rows that could show anything; `null` for a row that could not. */
  readonly adjusted: number | null;
  /** Of this row. */
  readonly verdict: CompareVerdict;
}

/**
 * Judges each row.
 *
 * - *better*, *worse*: Holm's adjusted p is at most {@linkcode ALPHA}.
 * - *flaky* (verdicts only): not shown, and at least half of the pairs that differ are of cells whose own repeats disagree.
 * - *not enough data*: even if every pair had turned the same way in every row, Holm would not have let this one pass.
 * - *no difference shown*: anything else. It does not say that there is none.
 *
 * Rows that cannot show anything do not burden the others: who is left out depends on numbers of pairs alone, and never on
 * what they say.
 *
 * @param flakyPairs How many of the pairs with different verdicts are of cells whose own repeats disagree.
 */
export function judge(rows: readonly Measured[], flakyPairs: number): Row[] {
  const candidates = rows.filter(({ n }) => n >= MIN_PAIRS);
  const extremes = holm(candidates.map(({ n }) => 2 ** (1 - n)));
  const family = candidates.filter((_, i) => (extremes[i] ?? 1) <= ALPHA);
  const adjusted = holm(family.map(({ p }) => p ?? 1));
  const byScorer = new Map(family.map(({ scorer }, i) => [scorer, adjusted[i] ?? 1]));
  return rows.map((row): Row => {
    const p = byScorer.get(row.scorer);
    return { ...row, adjusted: p === undefined ? null : round(p), verdict: verdictOf(row, p, flakyPairs) };
  });
}

function verdictOf(
  { scorer, gain, better, worse }: Measured,
  p: number | undefined,
  flakyPairs: number,
): CompareVerdict {
  if (p !== undefined && p <= ALPHA && gain !== 0) return gain > 0 ? "better" : "worse";
  const isFlaky = scorer === VERDICTS && flakyPairs > 0 && 2 * flakyPairs >= better + worse;
  if (isFlaky) return "flaky";
  return p === undefined ? "not enough data" : "no difference shown";
}

/** The verdict of all rows. One that is worse outweighs any that is better: a release stops for it. */
export function overall(rows: readonly Row[]): CompareVerdict {
  const order = ["worse", "better", "flaky", "no difference shown"] as const;
  return order.find((verdict) => rows.some((row) => row.verdict === verdict)) ?? "not enough data";
}

/** How many pairs each of so many rows needs before anything could be shown of it. */
export function pairsNeeded(rows: number): number {
  return Math.ceil(1 + Math.log2(Math.max(1, rows) / ALPHA));
}
