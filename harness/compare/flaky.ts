/** Cells that disagree with themselves: repeats of the same thing, on the same side, of which some pass and some fail. */
import { compareText, groupId } from "./pair.ts";
import type { Trials } from "./pass_k.ts";
import type { ReadCell } from "./read.ts";
import type { Duel, Side, Trait } from "./sides.ts";

/** A group of repeats that disagree on one side at least. */
export interface Flaky {
  /** The cell's name, without the repeat. */
  readonly id: string;
  /** The baseline's repeats that passed or failed; none for a side that does not have it. */
  readonly a?: Trials;
  /** The other side's. */
  readonly b?: Trials;
}

/** Repeats of each cell that passed or failed; errors and what is untestable say nothing of the subject. */
export function trialsOf(
  cells: readonly ReadCell[],
  groupOf: (cell: ReadCell) => string,
): ReadonlyMap<string, Trials> {
  const groups = new Map<string, Trials>();
  for (const cell of cells) {
    if (cell.outcome !== "pass" && cell.outcome !== "fail") continue;
    const id = groupOf(cell);
    const { n, passed } = groups.get(id) ?? { n: 0, passed: 0 };
    groups.set(id, { n: n + 1, passed: passed + (cell.outcome === "pass" ? 1 : 0) });
  }
  return groups;
}

/** Finds them, on both sides, whether or not they have a partner. By id. */
export function findFlaky({ a, b, by }: Duel): Flaky[] {
  const trials = (side: Side) => trialsOf(side.cells, (cell) => groupId(cell, by));
  const [own, others] = [trials(a), trials(b)];
  const ids = [...new Set([...own.keys(), ...others.keys()])].sort(compareText);
  return ids.flatMap((id): Flaky[] => {
    const [inA, inB] = [own.get(id), others.get(id)];
    if (!disagrees(inA) && !disagrees(inB)) return [];
    return [{ id, ...(inA === undefined ? {} : { a: inA }), ...(inB === undefined ? {} : { b: inB }) }];
  });
}

function disagrees(trials: Trials | undefined): boolean {
  return trials !== undefined && trials.passed > 0 && trials.passed < trials.n;
}

/** A cell's name without repeat and seed: the trials that pass^k draws from. */
export function taskId({ id, cell, ...rest }: ReadCell, by: readonly Trait[]): string {
  return groupId({ id, cell: { ...cell, seed: "0" }, ...rest }, by);
}
