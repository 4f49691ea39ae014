/** The binomial distribution, to the precision of a double, for any number of trials. */

/**
 * P(X ≤ k) for X ~ Binomial(n, p): the terms are summed from k down, each from the one above it.
 *
 * @param k Successes; may lie outside 0 to `n`.
 * @param n Trials, a whole number from 0.
 * @param p Chance of success, 0 to 1.
 * @throws {RangeError} If `n` or `p` is none.
 * @example
 * ```ts
 * import { binomialCdf } from "./binomial.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(binomialCdf(1, 3, 0.5) - 0.5) < 1e-12);
 * ```
 */
export function binomialCdf(k: number, n: number, p: number): number {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`${n} is no number of trials`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no chance`);
  if (k < 0) return 0;
  if (k >= n) return 1;
  // Above the mean the other tail is the shorter sum, and the one that does not underflow.
  if (k > n * p) return 1 - binomialCdf(n - k - 1, n, 1 - p);
  let term = binomialPmf(k, n, p);
  let sum = 0;
  for (let j = k; j >= 0 && term > sum * Number.EPSILON / 4; j--) {
    sum += term;
    term *= j * (1 - p) / ((n - j + 1) * p);
  }
  return Math.min(1, sum);
}

/** P(X = k) for X ~ Binomial(n, p), k from 0 to n. */
export function binomialPmf(k: number, n: number, p: number): number {
  if (p === 0 || p === 1) return k === n * p ? 1 : 0;
  const ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
  return Math.exp(ways + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

/** Logarithms of factorials, from 0! on; grows as they are asked for. */
const LOG_FACTORIALS: number[] = [0];

function logFactorial(n: number): number {
  for (let i = LOG_FACTORIALS.length; i <= n; i++) LOG_FACTORIALS.push((LOG_FACTORIALS[i - 1] ?? 0) + Math.log(i));
  return LOG_FACTORIALS[n] ?? NaN;
}
