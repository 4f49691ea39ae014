/**
 * What is kept of a cell for figures over many: a few numbers, so that ten thousand cells need no ten thousand traces.
 */
import { makespan } from "../score/latency.ts";
import type { Outcome, Scorecard } from "../score/check.ts";
import type { Score } from "../score/scores.ts";
import { viewTrace } from "../score/view.ts";
import type { Cell, Trace } from "../trace/event.ts";
import { type FaultedPart, faultedParts } from "./parts.ts";

/** One cell. */
export interface CellRow {
  /** What it is made of. */
  readonly cell: Cell;
  /** The worst outcome of its checks. */
  readonly outcome: Outcome;
  /** Its scores. */
  readonly scores: readonly Pick<Score, "id" | "unit" | "value">[];
  /** How long it took by its clock, in milliseconds; `null` if it was not measured. */
  readonly makespan: number | null;
  /** How many faults the scenario has. */
  readonly faults: number;
  /** Each part that a fault broke, and what became of it. */
  readonly parts: readonly FaultedPart[];
}

/** What is kept of a cell. */
export function cellRow(
  { trace, scorecard: { outcome, scores } }: { readonly trace: Trace; readonly scorecard: Scorecard },
): CellRow {
  return {
    cell: trace.cell,
    outcome,
    scores: scores.map(({ id, unit, value }) => ({ id, unit, value })),
    makespan: makespan({ trace }) ?? null,
    faults: trace.scenario.faults.length,
    parts: faultedParts(viewTrace(trace)),
  };
}
