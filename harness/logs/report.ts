/** What a log came to, for every reporter. Holds no clock, no path and no machine fact. */
import { CHECKER_ACCURACY, type CheckerAccuracy } from "../score/groundedness/accuracy.ts";
import { type Outcome, tally } from "../score/check.ts";
import { type Confusion, confusionOf } from "./labels.ts";
import type { ReadLog } from "./read.ts";
import { type LogScore, scoreLogRun } from "./score.ts";

/** Version of the report format. */
export const LOG_REPORT_SCHEMA = 1;

/** A log, judged. */
export interface LogReport {
  readonly schema: typeof LOG_REPORT_SCHEMA;
  /** Tells it from the report of a run of the bench. */
  readonly kind: "log";
  readonly summary: {
    readonly runs: number;
    readonly flagged: number;
    /** Runs without an answer, flagged ones too. */
    readonly unanswered: number;
    readonly calls: number;
    readonly failed: number;
    /** Failed calls that no flag of the log tells of. */
    readonly unflagged: number;
    readonly recovered: number;
    readonly lost: number;
    readonly checks: Record<Outcome, number>;
  };
  /** In the order of the log. */
  readonly runs: readonly LogScore[];
  /** How flags compare with the log's labels, if it has any. Information: labels are not read for anything else. */
  readonly confusion: Confusion | null;
  /** Keys that nobody reads, with how often they occur. */
  readonly ignored: Readonly<Record<string, number>>;
  /** What the checker behind `log.claims` is worth. */
  readonly checker: readonly CheckerAccuracy[];
}

/** Judges a log. */
export function scoreLog({ runs, ignored }: ReadLog): LogReport {
  const scores = runs.map(scoreLogRun);
  const failed = scores.flatMap((score) => score.failed);
  const recovered = failed.filter((call) => call.recovered !== null).length;
  return {
    schema: LOG_REPORT_SCHEMA,
    kind: "log",
    summary: {
      runs: scores.length,
      flagged: scores.filter(({ flagged }) => flagged).length,
      unanswered: scores.filter(({ unanswered }) => unanswered !== null).length,
      calls: scores.reduce((sum, { calls }) => sum + calls, 0),
      failed: failed.length,
      unflagged: failed.filter(({ kind }) => kind !== "flag").length,
      recovered,
      lost: failed.length - recovered,
      checks: tally(scores.flatMap(({ checks }) => checks.map(({ outcome }) => outcome))),
    },
    runs: scores,
    confusion: confusionOf(scores) ?? null,
    ignored: Object.fromEntries(ignored),
    checker: CHECKER_ACCURACY,
  };
}
