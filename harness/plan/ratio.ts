/** Precision, recall and F1 over counts. */

/** How much of what there is was wanted, and how much of what was wanted is there. */
export interface Ratio {
  /** Found and wanted. */
  readonly hits: number;
  /** All that was found. */
  readonly found: number;
  /** All that was wanted. */
  readonly wanted: number;
  /** hits / found; 1 where nothing was found. */
  readonly precision: number;
  /** hits / wanted; 1 where nothing was wanted. */
  readonly recall: number;
  /** Harmonic mean: 2 · hits / (found + wanted); 1 where nothing was wanted and nothing was found. */
  readonly f1: number;
}

/**
 * Makes a ratio (van Rijsbergen 1979). Nothing wanted and nothing found is right, since something could have been found.
 *
 * @example
 * ```ts
 * import { ratio } from "./ratio.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(ratio(2, 4, 2).f1, 2 / 3);
 * assert.equal(ratio(0, 0, 0).f1, 1);
 * assert.equal(ratio(0, 3, 0).f1, 0);
 * ```
 */
export function ratio(hits: number, found: number, wanted: number): Ratio {
  return {
    hits,
    found,
    wanted,
    precision: found === 0 ? 1 : hits / found,
    recall: wanted === 0 ? 1 : hits / wanted,
    f1: found + wanted === 0 ? 1 : 2 * hits / (found + wanted),
  };
}
