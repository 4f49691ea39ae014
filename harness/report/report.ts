/** The report of a run: what every reporter renders. Holds no clock, no path and no machine fact. */
import type { Answer, Report } from "../../agents/mod.ts";
import type { CellResult } from "../runner/run.ts";
import { type Check, type Outcome, scorecard, tally } from "../score/check.ts";
import type { Score } from "../score/scores.ts";
import { scoreLanesAgree } from "../score/lanes_agree.ts";
import { makespan } from "../score/latency.ts";
import { viewTrace } from "../score/view.ts";
import { coverageOf, type CoverageRow } from "./coverage.ts";
import { type Cell, cellId, type Trace } from "../trace/event.ts";

/** Version of the report format. */
export const REPORT_SCHEMA = 1;

/** What one worker did. Times are virtual milliseconds, and given in `sim` only, where they are exact. */
export interface WorkerRow {
  /** The specialist. */
  readonly worker: string;
  /** Id of its packet. */
  readonly packet: string;
  /** Status of its report. */
  readonly status: string;
  /** Failure code, if it failed. */
  readonly code?: string;
  /** `live`, or `cached` and kin for a report that stands in for another. */
  readonly provenance: string;
  /** How many times its model was called. */
  readonly steps: number;
  /** When it began, in milliseconds. */
  readonly startedAt?: number;
  /** When it ended, in milliseconds. */
  readonly endedAt?: number;
}

/** One cell of a report. */
export interface CellReport {
  /** The cell's name. */
  readonly id: string;
  /** What it is made of. */
  readonly cell: Cell;
  /** Name of the crew. */
  readonly crew: string;
  /** What the scenario is about. */
  readonly story: string;
  /** Files that the user has given, by the name of the input. */
  readonly given?: Readonly<Record<string, string>>;
  /** The worst outcome of its checks. */
  readonly outcome: Outcome;
  /** How the run itself ended: `answered`, `crashed`, `overdue`, `stalled` or `error`; see `RunEnd`. */
  readonly ended: string;
  /** What the subject answered. */
  readonly answer?: Answer;
  /** How long the run took, in virtual milliseconds; in `sim` only. */
  readonly makespan?: number;
  /** In dispatch order. */
  readonly workers: readonly WorkerRow[];
  /** Every check, with its evidence. */
  readonly checks: readonly Check[];
  /** Every score, with what it is made of. */
  readonly scores: readonly Score[];
}

/** A whole report. */
export interface RunReport {
  /** Version of the format. */
  readonly schema: typeof REPORT_SCHEMA;
  /** The worst outcome of all checks. */
  readonly outcome: Outcome;
  /** Cells, and checks, by outcome; those of the run included. */
  readonly summary: { readonly cells: Record<Outcome, number>; readonly checks: Record<Outcome, number> };
  /** In the order in which they were selected. */
  readonly cells: readonly CellReport[];
  /** Checks over the whole set of cells. */
  readonly run: readonly Check[];
  /** Each fault that some cell had, by crew and by what it strikes. */
  readonly coverage: readonly CoverageRow[];
}

/** Makes the report of a run. No cells, or no checks, is an error and never green. */
export function makeReport(results: readonly CellResult[]): RunReport {
  const agreement = scoreLanesAgree(results);
  const ofCells = results.flatMap(({ scorecard: { checks } }) => checks);
  // What sums up nothing at all holds the one check that says so.
  const run = ofCells.length === 0 ? scorecard(agreement).checks : agreement;
  const all = [...ofCells, ...run];
  return {
    schema: REPORT_SCHEMA,
    outcome: scorecard(all).outcome,
    summary: {
      cells: tally(results.map(({ scorecard: { outcome } }) => outcome)),
      checks: tally(all.map(({ outcome }) => outcome)),
    },
    cells: results.map(cellReport),
    run,
    coverage: coverageOf(results.map(({ trace }) => trace)),
  };
}

function cellReport({ trace, scorecard: { outcome, checks, scores } }: CellResult): CellReport {
  const { answer, end } = viewTrace(trace);
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
    ...(took === undefined ? {} : { makespan: took }),
    workers: workerRows(trace),
    checks,
    scores,
  };
}

/** One row a report that a worker or a recovery gave, in the order of the plan. */
export function workerRows({ events, cell }: Trace): WorkerRow[] {
  const order = events.filter(({ type }) => type === "packet").map(({ span }) => span.slice(span.lastIndexOf("/") + 1));
  const rows = events.filter(({ type }) => type === "report").map(({ detail }): WorkerRow => {
    const report = detail["report"] as unknown as Report;
    const times = cell.lane === "sim" ? { startedAt: report.startedAt, endedAt: report.endedAt } : {};
    return {
      worker: report.worker,
      packet: report.packetId,
      status: report.status,
      ...(report.failure === undefined ? {} : { code: report.failure.code }),
      provenance: report.provenance.kind,
      steps: report.usage.steps,
      ...times,
    };
  });
  const rank = (row: WorkerRow) => order.indexOf(row.packet) + (row.provenance === "live" ? 0 : order.length);
  return rows.sort((a, b) => rank(a) - rank(b));
}
