/** Trace in, scorecard out: pure, so that an old run can be scored again. */
import type { Trace } from "../trace/event.ts";
import { scoreAllowlist } from "./allowlist.ts";
import { scoreApprovals } from "./approvals.ts";
import { scoreBudgets } from "./budgets.ts";
import { scoreCalls } from "./calls.ts";
import { scoreCanaries } from "./canaries.ts";
import { type Check, type Scorecard, scorecard } from "./check.ts";
import { scoreCodes } from "./codes.ts";
import { scoreCoherence } from "./coherence.ts";
import { scoreCoverage } from "./coverage.ts";
import { scoreDisclosure } from "./disclosure.ts";
import { scoreEffects } from "./effects.ts";
import { scoreHandoffs } from "./handoffs.ts";
import { scoreIsolation } from "./isolation.ts";
import { scoreLatency } from "./latency.ts";
import { scoreNoPlan } from "./no_plan.ts";
import { scoreNotes } from "./notes.ts";
import { scorePlan } from "./plan.ts";
import { scoreRecord } from "./record.ts";
import { scoreRecovery } from "./recovery.ts";
import { SCORES } from "./scores.ts";
import { scoreRetries } from "./retries.ts";
import { scoreRun } from "./run.ts";
import { scoreSecrets } from "./secrets.ts";
import { withoutUnseen } from "./shown.ts";
import { scoreSpans } from "./spans.ts";
import { scoreSerialised } from "./serialised.ts";
import { scoreStatements } from "./statements.ts";
import { scoreTried } from "./tried.ts";
import { unplayables, withoutUnplayable } from "./unplayable.ts";
import { scoreUsage } from "./usage.ts";
import { type TraceView, viewTrace } from "./view.ts";

/**
 * Scores one aspect of a cell. Pure. Which ids its checks have depends on the scenario, the crew and the lane, and never
 * on what happened.
 */
export type Scorer = (view: TraceView) => Check[];

/** Every scorer of a cell. One file each. */
export const SCORERS: readonly Scorer[] = [
  scoreRun,
  scoreCoherence,
  scoreRecord,
  scoreCodes,
  scoreDisclosure,
  scoreRecovery,
  scoreRetries,
  scoreTried,
  scoreStatements,
  scoreCanaries,
  scoreNotes,
  scorePlan,
  scoreSerialised,
  scoreCoverage,
  scoreNoPlan,
  scoreHandoffs,
  scoreIsolation,
  scoreCalls,
  scoreAllowlist,
  scoreApprovals,
  scoreSecrets,
  scoreEffects,
  scoreBudgets,
  scoreUsage,
  scoreSpans,
  scoreLatency,
];

/** Checks of the bench itself: where one of them is an error, the cell is worth nothing. */
const OF_THE_BENCH = /^(run\.ended$|faults\.sound:)/;

/**
 * Scores a cell. Where the bench itself failed the subject is not judged: whatever else would have passed or failed is
 * untestable.
 */
export function scoreTrace(trace: Trace): Scorecard {
  const view = viewTrace(trace);
  const seen = withoutUnseen(SCORERS.flatMap((scorer) => scorer(view)), view.shown);
  const checks = withoutUnplayable(seen, trace.events);
  if (!checks.some(({ id, outcome }) => outcome === "error" && OF_THE_BENCH.test(id))) {
    return scorecard(checks, unplayables(trace.events).length > 0 ? [] : SCORES.map((score) => score(view)));
  }
  return scorecard(checks.map((one) => one.outcome === "error" ? one : { ...one, outcome: "untestable" }));
}
