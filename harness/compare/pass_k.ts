/** What came of some trials of the same thing. */
export interface Trials {
  /** How many there were. */
  readonly n: number;
  /** How many of them passed. */
  readonly passed: number;
}

/**
 * pass^k: the chance that k trials of the same thing all pass. The mean over groups of C(c, k) / C(n, k), where c of n
 * trials passed: unbiased, and not the same as a pass rate to the power of k.
 *
 * Source: Yao et al. (2024), tau-bench.
 *
 * @param groups Trials of each scenario; each at least `k`.
 * @throws {RangeError} If there is no group, or one has fewer than `k` trials.
 * @example
 * ```ts
 * import { passHatK } from "./pass_k.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(passHatK([{ n: 4, passed: 2 }], 2), 1 / 6);
 * ```
 */
export function passHatK(groups: readonly Trials[], k: number): number {
  if (groups.length === 0 || !Number.isSafeInteger(k) || k < 1) throw new RangeError("pass^k of nothing");
  let sum = 0;
  for (const { n, passed } of groups) {
    if (n < k || passed > n) throw new RangeError(`pass^${k} needs ${k} trials of each, and there are ${n}`);
    let ratio = 1;
    for (let i = 0; i < k; i++) ratio *= Math.max(0, passed - i) / (n - i);
    sum += ratio;
  }
  return sum / groups.length;
}
