/** What is kept of a cell when its trace is let go: all that a report of many cells needs, and JSON can carry. */
import { type FaultedPart, faultedParts } from "../reliability/parts.ts";
import type { CellResult } from "../runner/run.ts";
import { makespan } from "../score/latency.ts";
import { type TraceView, viewTrace } from "../score/view.ts";
import { cellId } from "../trace/event.ts";
import { type FaultFact, faultFacts } from "./coverage.ts";
import { type CellReport, workerRows } from "./report.ts";

/** One cell, without its trace. */
export interface CellFacts {
  /** The cell as the report has it. */
  readonly report: CellReport;
  /** Its faults, each once for each phase that it strikes in. */
  readonly faults: readonly FaultFact[];
  /** How many faults its scenario lists. */
  readonly listed: number;
  /** Each part that a fault broke, and what became of it. */
  readonly parts: readonly FaultedPart[];
}

/** Reads them from a cell that has been run and scored. */
export function factsOf(result: CellResult): CellFacts {
  const { trace } = result;
  const view = viewTrace(trace);
  return {
    report: cellReport(result, view),
    faults: faultFacts(trace),
    listed: trace.scenario.faults.length,
    parts: faultedParts(view),
  };
}

function cellReport(
  { trace, scorecard: { outcome, checks, scores }, judged }: CellResult,
  view: TraceView,
): CellReport {
  const { answer, end } = view;
  const took = trace.cell.lane === "sim" ? makespan({ trace }) : undefined;
  return {
    id: cellId(trace.cell),
    cell: trace.cell,
    crew: trace.crew.name,
    story: trace.scenario.story,
    ...(trace.scenario.given === undefined ? {} : { given: trace.scenario.given }),
    outcome,
    ended: end?.outcome ?? "error",
    ...(answer === undefined ? {} : { answer }),
    ...(view.shown.has("answer") ? {} : { isText: true }),
    ...(took === undefined ? {} : { makespan: took }),
    workers: workerRows(trace),
    checks,
    scores,
    ...(judged === undefined ? {} : { judged }),
  };
}
