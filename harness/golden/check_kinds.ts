/** Which kinds of checks a cell has, and how many of each, in a few lines that a person can read. */

/** Part of a check's id that says what is checked; behind the first colon stands of whom. */
export const kindOf = (id: string): string => id.split(":", 1)[0] ?? id;

/**
 * Writes kinds as lines, one a family, which is what stands before the first dot.
 *
 * @example
 * ```ts
 * import { kindLines } from "./check_kinds.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(kindLines(["plan.nodes", "canary:A", "plan.facts:a.b", "canary:B"]), [
 *   "canary x2",
 *   "plan: facts, nodes",
 * ]);
 * ```
 */
export function kindLines(ids: readonly string[]): string[] {
  const counts = [...Map.groupBy(ids, kindOf)].map(([kind, own]) => [kind, own.length] as const);
  const families = Map.groupBy(counts.sort(([a], [b]) => a < b ? -1 : 1), ([kind]) => kind.split(".", 1)[0] ?? kind);
  return [...families].flatMap(([family, own]) => {
    const alone = own.filter(([kind]) => kind === family).map(([kind, n]) => times(kind, n));
    const others = own.filter(([kind]) => kind !== family).map(([kind, n]) => times(kind.slice(family.length + 1), n));
    return others.length === 0 ? alone : [...alone, `${family}: ${others.join(", ")}`];
  });
}

/** {@linkcode kindLines} undone: how many checks there are of each kind. */
export function readKinds(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [family, others] = line.split(": ", 2);
    for (const one of others === undefined ? [line] : others.split(", ").map((part) => `${family}.${part}`)) {
      const [kind = one, count = "1"] = one.split(" x");
      counts.set(kind, Number(count));
    }
  }
  return counts;
}

const times = (name: string, n: number): string => n === 1 ? name : `${name} x${n}`;
