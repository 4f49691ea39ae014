/** Scores as a person reads them. */
import type { ScoreUnit } from "../score/scores.ts";

/** What a score counts, behind its name; nothing for a ratio, nor for a stretch, which has an x. */
export const UNIT_WORDS: Readonly<Record<ScoreUnit, string>> = {
  ratio: "",
  stretch: "",
  ms: "ms",
  tokens: "tokens",
  usd: "US dollars",
  count: "",
};

/**
 * A score in a few characters. What is not perfect is never rounded to what is.
 *
 * @example
 * ```ts
 * import { scoreText } from "./score_words.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual([scoreText(1, "ratio"), scoreText(0.999, "ratio")], ["1.00", "0.99"]);
 * assert.deepEqual([scoreText(1.001, "stretch"), scoreText(8644.2, "tokens")], ["1.01x", "8644"]);
 * assert.equal(scoreText(null, "ratio"), "-");
 * ```
 */
export function scoreText(value: number | null, unit: ScoreUnit): string {
  if (value === null) return "-";
  switch (unit) {
    case "ratio":
      return (value < 1 ? Math.min(value, 0.99) : value).toFixed(2);
    case "stretch":
      return `${(value > 1 ? Math.max(value, 1.01) : value).toFixed(2)}x`;
    case "usd":
      return value.toFixed(4);
    default:
      return String(Math.round(value));
  }
}

/** Whether a score is as good as one can be; of what has no best, such as tokens, never. */
export function isPerfect(value: number, unit: ScoreUnit): boolean {
  return (unit === "ratio" || unit === "stretch") && value === 1;
}
