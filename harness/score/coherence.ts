/**
 * Whether an answer agrees with itself: its status with its failures and sections, its text with its structure. Holds for
 * every answer, whatever was to be expected.
 */
import type { AnswerFailure, Provenance } from "../../agents/mod.ts";
import { type Check, check, unanswered } from "./check.ts";
import { failureLines, ownWords } from "./prose.ts";
import { isStranger } from "./shown.ts";
import { maySayFailed, maySayReplaced } from "./stranger.ts";
import type { TraceView } from "./view.ts";

const IDS = ["coherence.status", "coherence.prose", "coherence.substitution"] as const;

/** Scores coherence. */
export function scoreCoherence(view: TraceView): Check[] {
  const { answer, end } = view;
  const evidence = end === undefined ? [] : [end.seq];
  if (answer === undefined) return IDS.map((id) => unanswered(id, evidence));
  return [status(view, evidence), prose(view, evidence), substitution(view, evidence)];
}

/** Complete is what has no failure and no substitute, and nothing else is. */
function status({ answer }: TraceView, evidence: readonly number[]): Check {
  const { status = "failed", failures = [], sections = [] } = answer ?? {};
  const replaced = sections.filter(({ provenance }) => provenance.kind !== "live").map(({ worker }) => worker);
  const missing = [...new Set([...failures.map(({ specialist }) => specialist), ...replaced])];
  const good = (status === "complete") === (missing.length === 0);
  const what = missing.length === 0 ? "nothing is missing" : `not whole: ${missing.join(", ")}`;
  return check("coherence.status", good, `the answer is ${status}, and by its structure ${what}`, evidence);
}

/** The text says of each failure of the structure that it is one, and its code; of a stranger, in whatever words. */
function prose(view: TraceView, evidence: readonly number[]): Check {
  const { answer, shown } = view;
  const words = ownWords(answer);
  const silent = (answer?.failures ?? []).filter(({ specialist, code }) => {
    const lines = failureLines(specialist, words);
    return isStranger(shown)
      ? lines.length === 0 && !maySayFailed(view, specialist)
      : !lines.some((line) => line.includes(code));
  });
  const message = silent.length === 0
    ? "the text says of each failure of the structure what it is"
    : `the text does not say of ${listed(silent)}`;
  return check("coherence.prose", silent.length === 0, message, evidence);
}

/** What stands in is a substitute in both: its section has a failure that names it, and the text says so with its date. */
function substitution(view: TraceView, evidence: readonly number[]): Check {
  const { answer, shown } = view;
  const { sections = [], failures = [], text = "" } = answer ?? {};
  const bad = sections.filter(({ worker, provenance }) => {
    if (provenance.kind === "live") return false;
    const named = failures.some(({ specialist, substituted }) =>
      specialist === worker && substituted !== undefined && isSame(substituted, provenance)
    );
    const said = provenance.kind !== "cached" ||
      isStranger(shown) && maySayReplaced(view, worker, provenance.kind, provenance.asOf) ||
      text.split("\n").some((line) =>
        line.includes(worker) && /\bcached\b/i.test(line) && line.includes(provenance.asOf)
      );
    return !named || !said;
  }).map(({ worker }) => worker);
  const message = bad.length === 0
    ? "whatever stands in is called a substitute, in the structure and in the text"
    : `what stands in for ${bad.join(", ")} is not called a substitute in both structure and text`;
  return check("coherence.substitution", bad.length === 0, message, evidence);
}

function isSame(a: Provenance, b: Provenance): boolean {
  return a.kind === b.kind && (a.kind !== "cached" || b.kind !== "cached" || a.asOf === b.asOf);
}

function listed(failures: readonly AnswerFailure[]): string {
  return failures.map(({ specialist, code }) => `${specialist} that it failed with ${code}`).join(", nor of ");
}
