/** From verified reports to an answer that is honest by construction: it is rendered from what happened. */
import { type Failure, oneLine, withoutCredentials, withoutSecretsOfErrors } from "../../core/mod.ts";
import type { Crew } from "../crews/crew.ts";
import type { DroppedTask } from "../planner/outcome.ts";
import type { Answer, AnswerFailure, Report, Section } from "../types.ts";
import { describe, renderAnswer } from "./render.ts";
import { bySeverity, type Placed, sectionOf, worstFirst } from "./sections.ts";

export { renderAnswer };

/** What came of one task. */
export interface Part {
  /** The report that stands, verified. */
  readonly report: Report;
  /** Sentences of it that are not confirmed. */
  readonly unconfirmed?: readonly string[];
  /** What other attempts at it have done, and the report does not tell. */
  readonly before?: readonly Report[];
  /** The last report of each specialist that failed at the task, if it was not met in the end. The owner's first. */
  readonly failed: readonly Report[];
}

/** Everything an answer is made of. */
export interface Outcome {
  /** What came of the plan's tasks, in the plan's order. */
  readonly parts: readonly Part[];
  /** Reports that stand in for failed ones. */
  readonly substitutes: readonly Report[];
  /** Tasks of the plan that were left out by name. */
  readonly dropped: readonly DroppedTask[];
  /** What of the request no task of the plan covers, in a sentence each. Untrusted. */
  readonly uncovered?: readonly string[];
  /** Why there is no plan of the planner's, if there is none. */
  readonly planFailure?: Failure;
  /** What a model says in short, checked. */
  readonly summary?: string;
  /** The crew's order: the plan's if left out. */
  readonly order?: NonNullable<Crew["order"]>;
}

/** Makes the answer. Nothing healthy is called failed, nothing failed is silent, nothing cached is called current. */
export function synthesize(outcome: Outcome): Answer {
  const { parts, substitutes, dropped, uncovered = [], summary, order = "plan" } = outcome;
  const split = order === "severity" ? bySeverity : (report: Report) => report.findings.length > 0 ? [report] : [];
  const placed = parts.flatMap((part) => sectionsOf(part, substitutes, split));
  const sections = (order === "severity" ? worstFirst(placed) : placed).map(({ section }) => harmless(section));
  const failures = [
    ...(outcome.planFailure === undefined ? [] : [planFailure(outcome.planFailure, parts.length > 0)]),
    ...parts.flatMap((part) => failuresOf(part, substitutes)),
    ...dropped.map(droppedFailure),
    ...uncovered.map(uncoveredFailure),
  ];
  const live = sections.some(({ provenance }) => provenance.kind === "live");
  const status = !live ? "failed" : failures.length > 0 ? "degraded" : "complete";
  const answer = {
    status,
    sections,
    failures,
    ...(summary === undefined ? {} : { summary: withoutCredentials(summary) }),
  } as const;
  return { ...answer, text: renderAnswer(answer, { isReview: order === "severity" }) };
}

function sectionsOf(
  { report, unconfirmed = [], before = [] }: Part,
  substitutes: readonly Report[],
  split: (report: Report) => Report[],
): Placed[] {
  const substitute = substitutes.find(({ packetId }) => packetId === report.packetId);
  return [
    ...before.flatMap(split).map((one) => sectionOf(one, [])),
    ...split(report).map((one) => sectionOf(one, unconfirmed)),
    ...(substitute === undefined ? [] : split(substitute).map((one) => sectionOf(one, []))),
  ];
}

/** What a worker repeats of an error, or of a file, may be somebody's credential. */
function harmless({ text, unconfirmed, ...section }: Section): Section {
  return {
    ...section,
    text: withoutCredentials(text),
    ...(unconfirmed === undefined ? {} : { unconfirmed: unconfirmed.map(withoutCredentials) }),
  };
}

function failuresOf({ report, failed }: Part, substitutes: readonly Report[]): AnswerFailure[] {
  const substitute = substitutes.find(({ packetId }) => packetId === report.packetId)?.provenance;
  return failed.flatMap(({ worker, failure }, i): AnswerFailure[] => {
    if (failure === undefined) return [];
    const about = { specialist: worker, code: failure.code, detail: withoutSecretsOfErrors(failure.detail) };
    if (i > 0) return [{ ...about, effect: `it stood in for ${failed[0]?.worker ?? "another"}, and came to nothing` }];
    if (substitute !== undefined) {
      const effect = substitute.kind === "human"
        ? `${describe(substitute)} stands in for it`
        : `${describe(substitute)} stands in for it and may be out of date`;
      return [{ ...about, effect, substituted: substitute }];
    }
    const effect = report.findings.length > 0
      ? "what it reported is incomplete"
      : "its part is missing from this answer";
    return [{ ...about, effect }];
  });
}

function droppedFailure({ specialist, objective, reason }: DroppedTask): AnswerFailure {
  return reason === "unknown_specialist"
    ? {
      specialist,
      code: "unknown_specialist",
      detail: `the plan asked for a specialist that does not exist ("${oneLine(objective)}")`,
      effect: "that part was not done",
    }
    : {
      specialist,
      code: "not_started",
      detail: `it needed the result of a task that could not be done ("${oneLine(objective)}")`,
      effect: "that part was not done",
    };
}

/** Nobody failed at it: whoever split the request gave it to nobody. */
function uncoveredFailure(what: string): AnswerFailure {
  return {
    specialist: "planner",
    code: "not_started",
    detail: withoutSecretsOfErrors(oneLine(what)),
    effect: "that part of the request may not have been done",
  };
}

function planFailure({ code, detail }: Failure, worked: boolean): AnswerFailure {
  const effect = worked
    ? "a fixed fallback plan was used, which may not cover the request"
    : "there was no plan to work by, so nothing was done";
  return { specialist: "planner", code, detail: withoutSecretsOfErrors(detail), effect };
}
