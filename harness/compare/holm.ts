/**
 * Holm's step-down procedure: p-values adjusted so that, whatever is true, the chance of even one false alarm in the family
 * is at most the level. The i-th smallest of m is multiplied by m - i + 1; none may be below the one before it, or above 1.
 *
 * Source: Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6; the
 * adjusted form is that of R's `p.adjust(method = "holm")`.
 *
 * @param ps The family's p-values.
 * @returns Adjusted p-values, in the order of `ps`.
 * @throws {RangeError} If one is no probability.
 * @example
 * ```ts
 * import { holm } from "./holm.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(holm([0.25, 0.125]), [0.25, 0.25]);
 * ```
 */
export function holm(ps: readonly number[]): number[] {
  const wrong = ps.find((p) => !(p >= 0 && p <= 1));
  if (wrong !== undefined) throw new RangeError(`${wrong} is no probability`);
  const adjusted = new Array<number>(ps.length).fill(1);
  let least = 0;
  for (const [rank, [i, p]] of [...ps.entries()].sort(([, a], [, b]) => a - b).entries()) {
    least = Math.max(least, Math.min(1, (ps.length - rank) * p));
    adjusted[i] = least;
  }
  return adjusted;
}
