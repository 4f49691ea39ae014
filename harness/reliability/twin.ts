/** Cells beside another of theirs: the time that faults cost, and the time that the wire lane adds. */
import { cellId } from "../trace/event.ts";
import type { CellRow } from "./row.ts";

/** A cell beside its twin. Times in milliseconds. */
export interface Twin {
  /** The cell. */
  readonly cell: string;
  /** The one that it is compared with. */
  readonly twin: string;
  /** What the cell took longer; negative if it was faster. */
  readonly ms: number;
}

/**
 * Time lost to faults, as measured: each cell with faults beside the healthy cell of the same scenario, the one without
 * any that has the same lane, subject, model, seed and repeat. Exact in `sim`. A scenario without a healthy variant has no
 * twin, and is left out.
 */
export function lostToFaults(rows: readonly CellRow[]): Twin[] {
  const healthy = new Map(
    rows.filter(({ faults, makespan }) => faults === 0 && makespan !== null)
      // The scenario itself before its variants.
      .toSorted((a, b) => (a.cell.variant === null ? 0 : 1) - (b.cell.variant === null ? 0 : 1) || byName(a, b))
      .reverse().map((row) => [cellId({ ...row.cell, variant: null }), row]),
  );
  return rows.filter(({ faults }) => faults > 0).toSorted(byName).flatMap((row) =>
    beside(row, healthy.get(cellId({ ...row.cell, variant: null })))
  );
}

/**
 * What the wire lane adds, cell by cell: processes, pipes and the machine. A figure to look at, and no gate: it is the
 * machine's as much as the bench's.
 */
export function wireOverhead(rows: readonly CellRow[]): Twin[] {
  const sim = new Map(rows.filter(({ cell }) => cell.lane === "sim").map((row) => [cellId(row.cell), row]));
  return rows.filter(({ cell }) => cell.lane === "wire").toSorted(byName).flatMap((row) =>
    beside(row, sim.get(cellId({ ...row.cell, lane: "sim" })))
  );
}

function beside(row: CellRow, twin: CellRow | undefined): Twin[] {
  if (twin === undefined || row.makespan === null || twin.makespan === null) return [];
  const ms = Math.round((row.makespan - twin.makespan) * 1000) / 1000;
  return [{ cell: cellId(row.cell), twin: cellId(twin.cell), ms }];
}

function byName(a: CellRow, b: CellRow): number {
  const [one, other] = [cellId(a.cell), cellId(b.cell)];
  return one < other ? -1 : one > other ? 1 : 0;
}
