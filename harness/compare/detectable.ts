/** The minimum detectable effect: how large a difference must be to be shown in most comparisons of this size. */
import { binomialCdf, binomialPmf } from "./binomial.ts";
import { normalQuantile } from "./normal.ts";

/** How sure a comparison must be. */
export interface Demands {
  /**
   * The level of the two-sided test.
   *
   * @default {0.05}
   */
  readonly alpha?: number;
  /**
   * In what share of comparisons the difference is to be shown.
   *
   * @default {0.8}
   */
  readonly power?: number;
}

/**
 * The power of the exact McNemar test, before it is known how many pairs will differ.
 *
 * Source: Duffy (1984), Asymptotic and Exact Power for the McNemar Test, Biometrics 40; the unconditional exact power is
 * `MESS::power_mcnemar_test(method = "exact")` in R.
 *
 * @param n Pairs.
 * @param up The chance that a pair turns one way.
 * @param down The chance that it turns the other way; with `up` at most 1.
 */
export function mcnemarPower(n: number, up: number, down: number, alpha = 0.05): number {
  const discordant = Math.min(1, up + down);
  if (discordant === 0) return 0;
  // Beyond eight standard deviations nothing is left that a double could tell from zero.
  const reach = 8 * Math.sqrt(n * discordant * (1 - discordant)) + 8;
  const [from, to] = [Math.max(0, Math.floor(n * discordant - reach)), Math.min(n, Math.ceil(n * discordant + reach))];
  let power = 0;
  for (let m = from; m <= to; m++) {
    const k = criticalCount(m, alpha);
    if (k < 0) continue;
    const share = up / discordant;
    power += binomialPmf(m, n, discordant) * (binomialCdf(k, m, share) + binomialCdf(k, m, 1 - share));
  }
  return Math.min(1, power);
}

/** The most of `m` discordant pairs that may go against the others for McNemar's p to be at most `alpha`; -1 for none. */
function criticalCount(m: number, alpha: number): number {
  // A little below where the normal distribution puts it, and up from there.
  let k = Math.max(-1, Math.floor(m / 2 + normalQuantile(alpha / 2) * Math.sqrt(m) / 2) - 3);
  while (k >= 0 && 2 * binomialCdf(k, m, 0.5) > alpha) k--;
  while (2 * (k + 1) < m && 2 * binomialCdf(k + 1, m, 0.5) <= alpha) k++;
  return k;
}

/**
 * The smallest difference of two paired pass rates that the exact McNemar test shows with the demanded power.
 *
 * @param n Pairs.
 * @param noise The share of pairs that turn each way anyway: the smaller of both counts of discordant pairs, over `n`.
 * @returns A difference from 0 to 1; `undefined` where even the largest that is possible would not do.
 */
export function detectableRate(n: number, noise = 0, { alpha = 0.05, power = 0.8 }: Demands = {}): number | undefined {
  let [low, high] = [0, 1 - 2 * noise];
  if (high <= 0 || mcnemarPower(n, noise + high, noise, alpha) < power) return undefined;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (mcnemarPower(n, noise + middle, noise, alpha) < power) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The smallest mean of paired differences that is shown with the demanded power: (z of 1 - alpha/2, plus z of power) times
 * the standard error. Normal, so a little small below some thirty pairs.
 *
 * Source: Miller (2024), Adding Error Bars to Evals, section 5; Cohen (1988).
 *
 * @returns In the unit of the differences; `undefined` where they have no spread: that says nothing about the next.
 */
export function detectableMean(
  differences: readonly number[],
  { alpha = 0.05, power = 0.8 }: Demands = {},
): number | undefined {
  const n = differences.length;
  const mean = differences.reduce((sum, one) => sum + one, 0) / n;
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1);
  // Equal differences have a variance that is not quite zero, by rounding.
  if (!(variance > (mean * 1e-12) ** 2)) return undefined;
  return (normalQuantile(1 - alpha / 2) + normalQuantile(power)) * Math.sqrt(variance / n);
}
