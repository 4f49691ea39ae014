import { binomialCdf } from "./binomial.ts";

/**
 * Exact McNemar test: whether pairs that differ turn one way more often than the other. Two-sided p-value.
 *
 * Under the null hypothesis each discordant pair is a fair coin, so p = 2 P(X ≤ min(b, c)) with X ~ Binomial(b + c, 1/2),
 * at most 1. Pairs that agree say nothing. The mid-p variant has more power and may exceed its level; a gate takes the
 * exact one, which never does.
 *
 * Source: McNemar (1947), Psychometrika 12; the exact form as in Agresti, Categorical Data Analysis, section 10.1.
 *
 * @param b Pairs that turned one way.
 * @param c Pairs that turned the other way.
 * @throws {RangeError} If either is no count.
 * @example
 * ```ts
 * import { mcnemar } from "./mcnemar.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(mcnemar(0, 6) - 2 / 2 ** 6) < 1e-12);
 * assert.equal(mcnemar(3, 3), 1);
 * ```
 */
export function mcnemar(b: number, c: number): number {
  for (const count of [b, c]) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no number of pairs`);
  }
  return b === c ? 1 : Math.min(1, 2 * binomialCdf(Math.min(b, c), b + c, 0.5));
}
