/**
 * What a subject does not show cannot be judged: what rests on it is untestable, by the subject's declaration, and a number
 * that rests on it is `null`.
 *
 * Beside the declaration stands what no subject can keep back: the world's own records of models, servers and people, and
 * the text of the answer. Scorers make do with these where they can (`view.ts` gives them nothing that is not shown); the
 * table says what none of them can do without.
 */
import { SHOWN, type Shown } from "../../agents/mod.ts";
import type { Trace } from "../trace/event.ts";
import type { Check } from "./check.ts";
import { eventsOf } from "./events.ts";

/** What a kind of check rests on. */
export interface Needs {
  /** Without one of these it says nothing. */
  readonly all?: readonly Shown[];
  /** Without one of these what is found wrong is wrong all the same, and that nothing was found is no pass. */
  readonly toPass?: readonly Shown[];
}

const all = (...shown: readonly Shown[]): Needs => ({ all: shown });

/**
 * What each kind of check rests on beside the world's own records and the answer's text. The kind is an id up to its first
 * colon; a kind that is not here rests on nothing that a subject could keep back.
 */
export const RESTS_ON: ReadonlyMap<string, Needs> = new Map<string, Needs>([
  ["coherence.status", all("answer")],
  ["coherence.prose", all("answer")],
  ["coherence.substitution", all("answer")],
  ["record.named", all("agents")],
  ["record.healthy", all("agents")],
  // Who was set to work and never asked, only packets tell.
  ["record.kept", all("answer", "agents")],
  ["record.complete", { all: ["answer", "agents"], toPass: ["packets"] }],
  // Whose task a later attempt met, only packets tell.
  ["record.recovered", all("agents", "packets")],
  ["record.codes", all("answer", "agents")],
  ["answer.status", all("answer")],
  // The texts whose order it is are those of a renderer of sections.
  ["answer.order", all("answer")],
  ["disclosure.structured", all("answer")],
  ["substitution.structured", all("answer")],
  ["recovered", all("answer", "agents", "packets", "routes")],
  ["recovery.capped", all("agents", "packets", "routes")],
  ["recovery.tried", all("agents", "packets", "reports", "routes")],
  ["notes", all("verdicts")],
  ["plan.packets", all("agents", "packets")],
  ["plan.unusable", { all: ["answer", "agents"], toPass: ["plan"] }],
  ["plan.nodes", all("packets")],
  ["plan.edges", all("packets")],
  ["plan.facts", all("packets")],
  ["plan.parallel", all("packets", "spans")],
  ["plan.serialised", all("agents", "packets")],
  ["handoffs.order", all("agents", "controls")],
  ["isolation.user_message", all("agents")],
  // Whose observations a worker may know, only what its packet depends on tells.
  ["isolation.canaries", all("agents", "packets")],
  ["isolation.siblings", all("agents", "packets")],
  ["isolation.observations", all("agents")],
  ["allowlist.advertised", all("agents")],
  // That a tool was called which nobody may call needs no names.
  ["allowlist.wire", { toPass: ["agents"] }],
  ["approvals.order", all("controls")],
  ["budget.packets", all("agents", "packets", "reports", "routes")],
  ["budget.run", { toPass: ["agents", "packets"] }],
  ["usage.sum", all("agents", "reports", "spans")],
  ["spans.ended", all("spans")],
  ["spans.nested", all("spans")],
]);

/** Everything, which is what a subject shows that declares nothing. */
export const SHOWS_ALL: ReadonlySet<Shown> = new Set(SHOWN);

/**
 * What the subject of a trace shows, by its own declaration (`run.start`). What was found out of it in the run
 * (`subject.shows`) counts in its place: that the answer of a program is plain text is known when it has been read.
 */
export function shownIn({ events }: Pick<Trace, "events">): ReadonlySet<Shown> {
  const found = eventsOf(events, "bench", "subject.shows").at(-1) ?? eventsOf(events, "bench", "run.start")[0];
  const declared = found?.detail["shows"];
  return Array.isArray(declared) ? new Set(SHOWN.filter((one) => declared.includes(one))) : SHOWS_ALL;
}

/**
 * Whether it is somebody who knows this project's words: failure codes, names of specialists, the way in which an answer
 * is rendered. Whoever does not show both answer and agents is a stranger, of whom only understanding can be expected.
 */
export function isStranger(shown: ReadonlySet<Shown>): boolean {
  return !shown.has("answer") || !shown.has("agents");
}

/** What is not shown, of some things that something rests on. */
export function unseen(shown: ReadonlySet<Shown>, needed: readonly Shown[]): string | undefined {
  const missing = needed.filter((one) => !shown.has(one));
  return missing.length === 0 ? undefined : `the subject does not show its ${missing.join(" and ")}`;
}

/** A check that says nothing, because of something that the subject does not show. */
export function notShown(id: string, message: string, evidence: readonly number[] = []): Check {
  return { id, outcome: "untestable", message, evidence, declared: true };
}

/** Makes untestable what rests on something that the subject does not show. */
export function withoutUnseen(checks: readonly Check[], shown: ReadonlySet<Shown>): Check[] {
  if (shown.size === SHOWN.length) return [...checks];
  return checks.map((one) => {
    const needs = RESTS_ON.get(one.id.split(":", 1)[0] ?? one.id);
    if (needs === undefined || one.outcome === "error") return one;
    const { all = [], toPass = [] } = needs;
    const message = unseen(shown, all) ?? (one.outcome === "fail" ? undefined : unseen(shown, toPass));
    return message === undefined ? one : notShown(one.id, message);
  });
}
