/** The report of a run: what every reporter renders. Holds no clock, no path and no machine fact. */
import type { Answer, Report } from "../../agents/mod.ts";
import { type Judged, type JudgedSum, JudgedSums } from "../judge/judged.ts";
import { type Reliability, reliabilityOf } from "../reliability/reliability.ts";
import type { CellResult } from "../runner/run.ts";
import { type Check, check, type Outcome, scorecard } from "../score/check.ts";
import { scoreLanesAgree } from "../score/lanes_agree.ts";
import type { Score } from "../score/scores.ts";
import type { Cell, Trace } from "../trace/event.ts";
import { Coverage, type CoverageRow } from "./coverage.ts";
import { DigestMaker, keepDigest } from "./digest.ts";
import { type PartialRun, wholeCheck } from "./early_end.ts";
import { factsOf } from "./facts.ts";
import { type CellGist, gistOf } from "./gist.ts";

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
  /** Whether only the text of the answer was shown: its status says nothing, and it has no sections and no failures. */
  readonly isText?: true;
  /** How long the run took, in virtual milliseconds; in `sim` only. */
  readonly makespan?: number;
  /** In dispatch order. */
  readonly workers: readonly WorkerRow[];
  /** Every check, with its evidence. */
  readonly checks: readonly Check[];
  /** Every score, with what it is made of. */
  readonly scores: readonly Score[];
  /** What a judge says of its answer, where one was asked; no outcome and no score depends on it. */
  readonly judged?: Judged;
}

/** The cells of a report. They may be read again and again, one at a time; they need not all be in memory. */
export interface Cells extends Iterable<CellReport> {
  /** How many there are. */
  readonly length: number;
  /** Each as the JSON report has it, where that is written already; see `cellJson`. */
  texts?(): Iterable<string>;
}

/** A whole report. */
export interface RunReport<C extends Cells = Cells> {
  /** Version of the format. */
  readonly schema: typeof REPORT_SCHEMA;
  /** The worst outcome of all checks. */
  readonly outcome: Outcome;
  /** Cells, and checks, by outcome; those of the run included. */
  readonly summary: { readonly cells: Record<Outcome, number>; readonly checks: Record<Outcome, number> };
  /** In the order in which they were selected. */
  readonly cells: C;
  /** Checks over the whole set of cells. */
  readonly run: readonly Check[];
  /** Each fault that some cell had, by crew and by what it strikes. */
  readonly coverage: readonly CoverageRow[];
  /** Whether the same comes out again; only where something was tried twice. */
  readonly reliability?: readonly Reliability[];
  /** What a judge says of all answers, where one was asked. */
  readonly judged?: JudgedSum;
  /** What of the run is missing, where it was ended early; its outcome is an error then. */
  readonly partial?: PartialRun;
}

/** Makes the report of a run. No cells, or no checks, is an error and never green. */
export function makeReport(results: readonly CellResult[]): RunReport<readonly CellReport[]> {
  const facts = results.map(factsOf);
  return reportOf(facts.map(gistOf), scoreLanesAgree(results), facts.map(({ report }) => report));
}

/** What passes is counted and not looked at. */
const PASSED = check("checks.passed", true, "");

/**
 * Makes the report of a run whose traces are gone. Reads the gists once, one at a time.
 *
 * @param gists Of each cell, in order.
 * @param agreement The checks over all cells.
 * @param cells The same cells, for whoever reads the report.
 * @param partial What is missing, where the run was ended early.
 */
export function reportOf<C extends Cells>(
  gists: Iterable<CellGist>,
  agreement: readonly Check[],
  cells: C,
  partial?: PartialRun,
): RunReport<C> {
  const ofCells = { pass: 0, fail: 0, error: 0, untestable: 0 };
  const ofChecks = { ...ofCells };
  // One of each kind: that is all that the worst outcome depends on.
  const kinds = new Map<string, Check>();
  const count = (check: Check) => {
    ofChecks[check.outcome]++;
    const kind = `${check.outcome} ${check.declared ?? false}`;
    if (!kinds.has(kind)) kinds.set(kind, check);
  };
  const digest = new DigestMaker();
  const coverage = new Coverage();
  const judgedSums = new JudgedSums();
  let hasRepeats = false;
  for (const { brief, passed, others, faults, judged } of gists) {
    ofCells[brief.outcome]++;
    ofChecks.pass += passed;
    if (passed > 0) kinds.set("passed", PASSED);
    for (const check of others) count(check);
    digest.add({ brief, others });
    coverage.add(brief.crew, faults);
    judgedSums.add(judged);
    hasRepeats ||= brief.cell.repeat > 1;
  }
  // What sums up nothing at all holds the one check that says so.
  const run = [
    ...(kinds.size === 0 ? scorecard(agreement).checks : agreement),
    ...(partial === undefined ? [] : [wholeCheck(partial)]),
  ];
  for (const check of run) count(check);
  const ended = digest.end({ run });
  const judged = judgedSums.sum();
  const report: RunReport<C> = {
    schema: REPORT_SCHEMA,
    outcome: scorecard([...kinds.values()]).outcome,
    summary: { cells: ofCells, checks: ofChecks },
    cells,
    run,
    coverage: coverage.rows(),
    ...(hasRepeats ? { reliability: reliabilityOf(ended.briefs) } : {}),
    ...(judged === undefined ? {} : { judged }),
    ...(partial === undefined ? {} : { partial }),
  };
  keepDigest(report, ended);
  return report;
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
