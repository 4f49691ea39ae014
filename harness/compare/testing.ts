/** Small sides for the tests of comparisons, built by hand. */
import type { Outcome } from "../score/check.ts";
import { type Cell, cellId } from "../trace/event.ts";
import type { ReadCell, ReadScore } from "./read.ts";
import type { Duel, Side } from "./sides.ts";

/** A cell: what differs from the first repeat of scenario `s` in `sim`, what came of it, and ratios. */
export function cellOf(
  part: Partial<Cell>,
  outcome: Outcome = "pass",
  scores: Readonly<Record<string, number | null | ReadScore>> = {},
): ReadCell {
  const cell: Cell = {
    scenario: "s",
    variant: null,
    lane: "sim",
    subject: "reference",
    model: "scripted",
    seed: "0",
    repeat: 1,
    ...part,
  };
  const read = Object.entries(scores).map(([id, score]): [string, ReadScore] => [
    id,
    typeof score === "object" && score !== null ? score : { value: score, unit: "ratio" },
  ]);
  return { id: cellId(cell), cell, outcome, checks: new Map([["answer.status", outcome]]), scores: new Map(read) };
}

/** One cell a scenario, by a word of letters: `p`ass, `f`ail, `e`rror, `u`ntestable. */
export function sideOf(outcomes: string, label = "a"): Side {
  const words = new Map<string, Outcome>([["p", "pass"], ["f", "fail"], ["e", "error"], ["u", "untestable"]]);
  return { label, cells: [...outcomes].map((letter, i) => cellOf({ scenario: `s${i}` }, words.get(letter))) };
}

/** Two sides of which nothing more tells cells apart. */
export function duelOf(a: string | readonly ReadCell[], b: string | readonly ReadCell[]): Duel {
  const side = (cells: string | readonly ReadCell[], label: string): Side =>
    typeof cells === "string" ? sideOf(cells, label) : { label, cells };
  return { a: side(a, "a"), b: side(b, "b"), by: [] };
}
