/** An interval of a proportion. */

/** Lower and upper end, each from 0 to 1. */
export type Interval = readonly [lower: number, upper: number];

/** Two-sided 95 % of the normal distribution. */
const Z95 = 1.959963984540054;

/**
 * The score interval at 95 % (Wilson 1927; recommended for small n by Brown, Cai and DasGupta 2001), without continuity
 * correction: it stays within 0 and 1, and is wide where all of a few passed.
 *
 * @returns `null` where nothing was tried.
 * @throws {RangeError} If the numbers are no counts.
 * @example
 * ```ts
 * import { wilson } from "./wilson.ts";
 * import assert from "node:assert/strict";
 *
 * // Newcombe (1998), table I.
 * const [lower, upper] = wilson(15, 148) ?? [];
 * assert.equal(lower?.toFixed(4), "0.0624");
 * assert.equal(upper?.toFixed(4), "0.1605");
 * ```
 */
export function wilson(hits: number, n: number): Interval | null {
  if (!Number.isSafeInteger(hits) || !Number.isSafeInteger(n) || hits < 0 || hits > n) {
    throw new RangeError(`${hits} of ${n} is no proportion`);
  }
  if (n === 0) return null;
  const p = hits / n;
  const z2 = Z95 ** 2;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return [hits === 0 ? 0 : middle - half, hits === n ? 1 : middle + half];
}
