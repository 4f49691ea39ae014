/** From verified reports to an answer that is honest by construction: it is rendered from what happened. */
import { clip, type Failure, oneLine, printable } from "../../core/mod.ts";
import type { Answer, AnswerFailure, Provenance, Report, Section } from "../types.ts";
import type { DroppedTask } from "../planner/outcome.ts";

/** Everything an answer is made of. */
export interface Outcome {
  /** Verified reports of the plan's tasks, in the plan's order. */
  readonly reports: readonly Report[];
  /** Reports that stand in for failed ones. */
  readonly substitutes: readonly Report[];
  /** Tasks of the plan that were left out by name. */
  readonly dropped: readonly DroppedTask[];
  /** Why there is no plan of the planner's, if there is none. */
  readonly planFailure?: Failure;
}

/** Makes the answer. Nothing healthy is called failed, nothing failed is silent, nothing cached is called current. */
export function synthesize(outcome: Outcome): Answer {
  const sections = outcome.reports.flatMap((report) => sectionsOf(report, outcome.substitutes));
  const failures = [
    ...(outcome.planFailure === undefined ? [] : [planFailure(outcome.planFailure, outcome.reports.length > 0)]),
    ...outcome.reports.flatMap((report) => failureOf(report, outcome.substitutes)),
    ...outcome.dropped.map(droppedFailure),
  ];
  const live = sections.some(({ provenance }) => provenance.kind === "live");
  const status = !live ? "failed" : failures.length > 0 ? "degraded" : "complete";
  const answer = { status, sections, failures } as const;
  return { ...answer, text: renderAnswer(answer) };
}

function sectionsOf(report: Report, substitutes: readonly Report[]): Section[] {
  const substitute = substitutes.find(({ packetId }) => packetId === report.packetId);
  return [report, ...(substitute === undefined ? [] : [substitute])]
    .filter(({ findings }) => findings.length > 0)
    .map(({ worker, findings, provenance }) => ({
      worker,
      text: findings.map(({ claim }) => claim).join("\n"),
      provenance,
    }));
}

function failureOf(report: Report, substitutes: readonly Report[]): AnswerFailure[] {
  if (report.failure === undefined) return [];
  const { worker: specialist, failure: { code, detail } } = report;
  const substitute = substitutes.find(({ packetId }) => packetId === report.packetId)?.provenance;
  const failure = { specialist, code, detail };
  if (substitute !== undefined) {
    return [{
      ...failure,
      effect: `${describe(substitute)} stands in for it and may be out of date`,
      substituted: substitute,
    }];
  }
  const effect = report.findings.length > 0 ? "what it reported is incomplete" : "its part is missing from this answer";
  return [{ ...failure, effect }];
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

function planFailure({ code, detail }: Failure, worked: boolean): AnswerFailure {
  const effect = worked
    ? "a fixed fallback plan was used, which may not cover the request"
    : "there was no plan to work by, so nothing was done";
  return { specialist: "planner", code, detail, effect };
}

/** A provenance in words. */
function describe(provenance: Provenance): string {
  switch (provenance.kind) {
    case "live":
      return "a live result";
    case "cached":
      return `a cached ${provenance.source} as of ${provenance.asOf}`;
    case "human":
      return "a person's answer";
  }
}

/** The longest name and the longest reason that the text gives in full, in UTF-16 units; the structure has them whole. */
const MAX_NAME = 80;
const MAX_REASON = 300;

/**
 * Renders an answer's text from its structure.
 *
 * What models and servers say stands in it as data, so it must not pass for the answer's own words. A line of the
 * answer's own begins at the margin. Of a section, all lines but the first are indented; the reason of a failure is the
 * last thing on its line; a name that is more than a word is quoted. What a terminal would obey is made visible.
 */
export function renderAnswer({ status, sections, failures }: Omit<Answer, "text">): string {
  const lines: string[] = [];
  if (status === "failed") lines.push("This request could not be answered: no part of it has a live result.");
  if (status === "degraded") lines.push("This answer is incomplete; what is missing or not live is listed at its end.");
  for (const { worker, text, provenance } of sections) {
    const label = provenance.kind === "live" ? shownName(worker) : `${shownName(worker)}, from ${describe(provenance)}`;
    lines.push(`[${oneLine(label)}] ${indented(text)}`);
  }
  for (const { specialist, code, detail, effect } of failures) {
    const reason = clip(oneLine(detail), MAX_REASON);
    lines.push(`The ${shownName(specialist)} specialist failed (${code}); ${oneLine(effect)}. Reason: ${reason}`);
  }
  return lines.join("\n");
}

/** A name as it is, if it is a word; otherwise quoted and cut, so that the reader sees where it ends. */
function shownName(name: string): string {
  return /^[\p{L}\p{N}_.-]+$/u.test(name) && name.length <= MAX_NAME
    ? name
    : JSON.stringify(clip(oneLine(name), MAX_NAME));
}

/** A text whose lines cannot be taken for lines of the answer's own. */
function indented(text: string): string {
  return printable(text.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n")).replaceAll("\n", "\n  ");
}
