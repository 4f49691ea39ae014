import { sameFact } from "./input_f1.ts";
import type { PlanNode } from "./node.ts";
import { Closure } from "./order.ts";
import { contentWords, jaccard, namesIn } from "./words.ts";

/** Two objectives overlap from this Jaccard index of their content words on. */
export const OVERLAP = 2 / 3;

/**
 * Pairs of nodes that do much the same, whoever does it: their objectives' content words have a Jaccard index of at least
 * {@linkcode OVERLAP}. Three kinds of pairs are different work for all that:
 *
 * - Each objective has a name or a number that the other lacks (order 12345, order 12346).
 * - An input of the same name has two values.
 * - One waits for the other, and another specialist does it: it checks or uses what was found.
 */
export function overlaps(nodes: readonly PlanNode[]): (readonly [number, number])[] {
  const texts = nodes.map(({ objective }) => ({ words: contentWords(objective), names: namesIn(objective) }));
  const closure = Closure.of(nodes);
  return nodes.flatMap((a, i) =>
    nodes.slice(i + 1).flatMap((b, offset) => {
      const j = i + 1 + offset;
      const [first, second] = [texts[i], texts[j]];
      if (first === undefined || second === undefined || jaccard(first.words, second.words) < OVERLAP) return [];
      const isOther = !first.names.isSubsetOf(second.names) && !second.names.isSubsetOf(first.names);
      const buildsOn = a.specialist !== b.specialist && closure?.orders(i, j) === true;
      return isOther || buildsOn || differ(a.inputs, b.inputs) ? [] : [[i, j] as const];
    })
  );
}

function differ(a: PlanNode["inputs"], b: PlanNode["inputs"]): boolean {
  return Object.entries(a).some(([key, value]) => {
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    return other !== undefined && !sameFact(value, other);
  });
}

/** 1 - (nodes that overlap with another) / nodes: 1 where all work is done once, 0 where nobody works alone. */
export function overlapScore(nodes: readonly PlanNode[], pairs: readonly (readonly [number, number])[]): number {
  return nodes.length === 0 ? 1 : 1 - new Set(pairs.flat()).size / nodes.length;
}
