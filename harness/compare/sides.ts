/** What is compared with what: two files, or the subjects or models inside one. */
import type { ReadCell } from "./read.ts";

/** One side of a comparison. */
export interface Side {
  /** What people call it: a file, a subject or a model. */
  readonly label: string;
  /** Its cells. */
  readonly cells: readonly ReadCell[];
}

/** Two sides, the first of them the baseline, and what besides the usual tells their cells apart. */
export interface Duel {
  /** The baseline. */
  readonly a: Side;
  /** What is compared with it. */
  readonly b: Side;
  /** More of a cell that both of a pair must have in common. */
  readonly by: readonly Trait[];
}

/** What sides inside a file differ in. */
export type Trait = "subject" | "model";

/** The traits, as an option has them. */
export const TRAITS = ["subject", "model"] as const satisfies readonly Trait[];

/**
 * Two whole runs. Where each has one subject, they are compared whatever their names are; where one has several, each is
 * compared with its namesake. The same of models.
 */
export function duelOfRuns(a: Side, b: Side): Duel {
  const isMixed = (trait: Trait) => [a, b].some(({ cells }) => namesOf(cells, trait).length > 1);
  return { a, b, by: TRAITS.filter(isMixed) };
}

/**
 * Every subject (or model) of a run, in the order of the file, against the first or the one named.
 *
 * @throws {RangeError} If there are fewer than two, or the baseline is not among them. The message names those there are.
 */
export function duelsInside(cells: readonly ReadCell[], trait: Trait, baseline?: string): Duel[] {
  const names = namesOf(cells, trait);
  const base = baseline ?? names[0];
  if (base === undefined || names.length < 2) {
    throw new RangeError(`there must be two ${trait}s at least to compare, and it has ${list(names)}`);
  }
  if (!names.includes(base)) throw new RangeError(`there is no ${trait} "${base}"; there are ${list(names)}`);
  const side = (name: string): Side => ({ label: name, cells: cells.filter(({ cell }) => cell[trait] === name) });
  const by = TRAITS.filter((other) => other !== trait && namesOf(cells, other).length > 1);
  return names.filter((name) => name !== base).map((name) => ({ a: side(base), b: side(name), by }));
}

/** The subjects (or models) of some cells, in their order. */
export function namesOf(cells: readonly ReadCell[], trait: Trait): string[] {
  return [...new Set(cells.map(({ cell }) => cell[trait]))];
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(", ") + (names.length > 8 ? ", …" : "");
  return shown === "" ? "none" : shown;
}
