/** What one call of `bench compare` comes to: every comparison it made, with all that the numbers depend on. */
import { sortedJson } from "../report/json.ts";
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
}

/** Puts comparisons together. */
export function compareReport(comparisons: readonly Comparison[], seed: string): CompareReport {
  return { schema: COMPARE_SCHEMA, alpha: ALPHA, power: POWER, resamples: RESAMPLES, seed, comparisons };
}

/** As JSON: sorted keys, two spaces, a newline at the end. The same comparison gives the same bytes. */
export function renderCompareJson(report: CompareReport): string {
  return sortedJson(report);
}
