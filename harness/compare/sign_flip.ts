import type { Random } from "../../core/mod.ts";

/** Up to so many differences that are not zero, every assignment of signs is tried: 65,536 of them. */
const MAX_EXACT = 16;

/** How {@linkcode signFlipTest} draws where it cannot try everything. */
export interface SignFlipOptions {
  /** Where the signs come from. */
  readonly random: Random;
  /**
   * How many assignments are drawn.
   *
   * @default {10_000}
   */
  readonly resamples?: number;
}

/**
 * Fisher's randomisation test for paired differences: if it does not matter which side is which, each difference might as
 * well have had the other sign. The two-sided p-value is the share of all assignments of signs whose sum is at least as far
 * from zero as the one seen. On differences of 1, 0 and -1 this is the exact McNemar test.
 *
 * Exact with up to 16 differences that are not zero. With more, assignments are drawn, and p = (hits + 1) / (draws + 1).
 *
 * Source: Fisher (1935), The Design of Experiments, section 21; Phipson and Smyth (2010), Permutation P-values Should Never
 * Be Zero.
 *
 * @returns The p-value; 1 where no pair differs.
 */
export function signFlipTest(differences: readonly number[], options: SignFlipOptions): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  // Sums that differ by rounding alone are equal.
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0)) - total * 1e-12;
  if (sizes.length <= MAX_EXACT) return allSigns(sizes, seen) / 2 ** sizes.length;
  const { random, resamples = 10_000 } = options;
  let hits = 0;
  for (let i = 0; i < resamples; i++) {
    let [sum, bits] = [0, 0];
    for (let at = 0; at < sizes.length; at++) {
      const size = sizes[at] ?? 0;
      // One draw is worth 32 signs.
      bits = at % 32 === 0 ? random.int(2 ** 32) : bits >>> 1;
      sum += bits & 1 ? size : -size;
    }
    if (Math.abs(sum) >= seen) hits++;
  }
  return (hits + 1) / (resamples + 1);
}

/** How many assignments of signs give a sum of at least `seen`, on either side of zero. */
function allSigns(sizes: readonly number[], seen: number, at = 0, sum = 0): number {
  const size = sizes[at];
  if (size === undefined) return Math.abs(sum) >= seen ? 1 : 0;
  return allSigns(sizes, seen, at + 1, sum + size) + allSigns(sizes, seen, at + 1, sum - size);
}
