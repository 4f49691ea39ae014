/** A check: one statement about a cell that is true or not, with its evidence. */
import type { Score } from "./scores.ts";

/**
 * What came of a check. `error`: the bench or the scenario is wrong, not the subject. `untestable`: it cannot be seen.
 * The four never share a denominator.
 */
export type Outcome = "pass" | "fail" | "error" | "untestable";

/** One check. */
export interface Check {
  /** The same when it passes and when it fails. */
  readonly id: string;
  /** What came of it. */
  readonly outcome: Outcome;
  /** What was found, in a sentence that a person can act on. */
  readonly message: string;
  /** Numbers of the trace events that it rests on. */
  readonly evidence: readonly number[];
  /**
   * Untestable by declaration: the subject does not show what this rests on, or the lane cannot have it. That alone is not
   * red.
   */
  readonly declared?: true;
}

/** All checks of one cell, or of one run. */
export interface Scorecard {
  /** The worst outcome of the checks but those that are declared untestable. No checks at all is an error. */
  readonly outcome: Outcome;
  /** In the order of the scorers. */
  readonly checks: readonly Check[];
  /** In the order of `SCORES`; none for a run, and none where the bench itself failed. */
  readonly scores: readonly Score[];
}

/** Makes a check that passes or fails. */
export function check(id: string, good: boolean, message: string, evidence: readonly number[] = []): Check {
  return { id, outcome: good ? "pass" : "fail", message, evidence };
}

/** The check of an answer's words where there is no answer: they can be neither good nor bad. */
export function unanswered(id: string, evidence: readonly number[] = []): Check {
  return { id, outcome: "untestable", message: "there is no answer to read", evidence };
}

const WORST: readonly Outcome[] = ["error", "fail", "untestable"];

/** Sums checks up. Zero checks can never be green. */
export function scorecard(checks: readonly Check[], scores: readonly Score[] = []): Scorecard {
  if (checks.length === 0) {
    const nothing = {
      id: "checks.some",
      outcome: "error",
      message: "nothing was run or nothing was checked, which is never a pass",
      evidence: [],
    } as const;
    return { outcome: "error", checks: [nothing], scores: [] };
  }
  // Where nothing at all could be tested, nothing has passed.
  const counted = checks.filter(({ declared }) => declared === undefined);
  const outcome = WORST.find((worst) => counted.some((one) => one.outcome === worst)) ??
    (counted.length === 0 ? "untestable" : "pass");
  return { outcome, checks, scores };
}

/** How many there are of each outcome. */
export function tally(outcomes: Iterable<Outcome>): Record<Outcome, number> {
  const counts = { pass: 0, fail: 0, error: 0, untestable: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  return counts;
}
