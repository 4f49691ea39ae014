/** Pairs the cells of two sides: the same scenario, variant, lane, seed and repeat. */
import { cellId } from "../trace/event.ts";
import type { ReadCell } from "./read.ts";
import type { Duel, Trait } from "./sides.ts";

/** Two cells that differ in nothing but the side. */
export interface Pair {
  /** What both have in common, as a name. */
  readonly id: string;
  /** What both have in common but the repeat: cells that ought to come to the same. */
  readonly group: string;
  /** The scenario, whatever the variant. */
  readonly scenario: string;
  /** The baseline's cell. */
  readonly a: ReadCell;
  /** The other side's. */
  readonly b: ReadCell;
}

/** All pairs, and what has none. In the order of ids, whatever the order of the files. */
export interface Paired {
  readonly pairs: readonly Pair[];
  /** Cells of the baseline alone. */
  readonly onlyA: readonly string[];
  /** Cells of the other side alone. */
  readonly onlyB: readonly string[];
}

/** Pairs the cells of two sides. Nothing is dropped: what has no partner is listed. */
export function pairUp({ a, b, by }: Duel): Paired {
  const others = new Map(b.cells.map((cell) => [pairId(cell, by), cell]));
  const own = new Map(a.cells.map((cell) => [pairId(cell, by), cell]));
  const pairs = [...own].flatMap(([id, cell]): Pair[] => {
    const other = others.get(id);
    if (other === undefined) return [];
    return [{ id, group: groupId(cell, by), scenario: cell.cell.scenario, a: cell, b: other }];
  });
  return {
    pairs: pairs.sort((one, two) => compareText(one.id, two.id)),
    onlyA: [...own.keys()].filter((id) => !others.has(id)).sort(compareText),
    onlyB: [...others.keys()].filter((id) => !own.has(id)).sort(compareText),
  };
}

/** A cell's name without what the sides may differ in. */
export function pairId({ cell }: ReadCell, by: readonly Trait[]): string {
  return cellId({
    ...cell,
    subject: by.includes("subject") ? cell.subject : "reference",
    model: by.includes("model") ? cell.model : "scripted",
  });
}

/** A cell's name without its repeat, too. */
export function groupId({ id, cell, ...rest }: ReadCell, by: readonly Trait[]): string {
  return pairId({ id, cell: { ...cell, repeat: 1 }, ...rest }, by);
}

/** By UTF-16 units: the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
