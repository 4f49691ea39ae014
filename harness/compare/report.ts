/** What one call of `bench compare` comes to: every comparison it made, with all that the numbers depend on. */
import { sortedJson } from "../report/json.ts";
import { count } from "../report/layout.ts";
import type { Comparison } from "./compare.ts";
import { ALPHA, POWER, RESAMPLES } from "./row.ts";

/** Version of the format. */
export const COMPARE_SCHEMA = 1;

/** The whole of it. */
export interface CompareReport {
  /** Version of the format. */
  readonly schema: typeof COMPARE_SCHEMA;
  /** The level of each comparison, over all its rows. */
  readonly alpha: number;
  /** The power that `detectable` speaks of. */
  readonly power: number;
  /** Resamples of each interval; fewer above 2,000 pairs. */
  readonly resamples: number;
  /** Of everything random. */
  readonly seed: string;
  /** One; with `--by` one for each subject or model but the baseline. */
  readonly comparisons: readonly Comparison[];
  /** What the models of each side have used; only where the bench has run them for the comparison. */
  readonly costs?: readonly SideCost[];
}

/** What a side's models have used, by its cells. */
export interface SideCost {
  /** What people call it. */
  readonly label: string;
  /** How many cells it has. */
  readonly cells: number;
  /** Tokens of all replies, in and out. */
  readonly tokens: number;
  /** US dollars; `null` where the price of some reply is not known. */
  readonly usd: number | null;
}

/** What a side cost, in a line. */
export function costLine({ label, cells, tokens, usd }: SideCost): string {
  return `${label}: ${count(cells, "cell")}, ${tokens} tokens, ${usd === null ? "at no known price" : `$${usd}`}`;
}

/** Puts comparisons together. */
export function compareReport(
  comparisons: readonly Comparison[],
  seed: string,
  costs?: readonly SideCost[],
): CompareReport {
  const report: CompareReport = {
    schema: COMPARE_SCHEMA,
    alpha: ALPHA,
    power: POWER,
    resamples: RESAMPLES,
    seed,
    comparisons,
  };
  return costs === undefined ? report : { ...report, costs };
}

/** As JSON: sorted keys, two spaces, a newline at the end. The same comparison gives the same bytes. */
export function renderCompareJson(report: CompareReport): string {
  return sortedJson(report);
}
