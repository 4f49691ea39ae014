/** What a judge is asked of a cell: read from its trace, the same in both lanes and in every order of concurrent replies. */
import type { Report } from "../../agents/mod.ts";
import { checkAnswer, liveEvidence } from "../score/groundedness/claims.ts";
import { sortedEntries } from "../score/entries.ts";
import { type TraceView, viewTrace } from "../score/view.ts";
import type { Trace } from "../trace/event.ts";

/** One question: is this borne out by that? */
export interface Question {
  /** The claim. Untrusted. */
  readonly claim: string;
  /** Whose it is; none where nothing tells. */
  readonly worker?: string;
  /** Texts that it may rest on, each once, sorted: who of several at once came first says nothing. Untrusted. */
  readonly evidence: readonly string[];
}

/** A question whose answer is known. */
export interface LabelledQuestion extends Question {
  /** The scenario's label. */
  readonly label: "supported" | "unsupported";
}

/** All questions of one cell. */
export interface Questions {
  /** The claims of the answer on which the bench's own checker cannot decide, each once. */
  readonly claims: readonly Question[];
  /** The labels that hold for what was said. */
  readonly labels: readonly LabelledQuestion[];
}

/** What there is to ask. */
export function questionsOf(trace: Trace): Questions {
  const view = viewTrace(trace);
  const claims = new Map<string, Question>();
  for (const { claim, worker, verdict, bodies } of checkAnswer(view)) {
    if (verdict !== "undetermined") continue;
    const question = { claim, ...(worker === undefined ? {} : { worker }), evidence: sorted(bodies.flat()) };
    claims.set(JSON.stringify([claim, worker, question.evidence]), question);
  }
  return { claims: [...claims.values()], labels: labelled(view) };
}

/**
 * The notes that the scenario labels, each whole: what is `supported` is so in all of it, what is `unsupported` is not. A
 * label is of the note that the script makes its worker say; of a live model's own words nobody has labelled any.
 */
function labelled(view: TraceView): LabelledQuestion[] {
  const { shown, trace: { cell, scenario: { expect } } } = view;
  if (!shown.has("reports") || !shown.has("agents")) return [];
  return sortedEntries(expect?.notes ?? {}).flatMap(([who, label]): LabelledQuestion[] => {
    // That the checker decides nothing is the checker's limit, and no label for anybody else.
    if (label === "undetermined" || !isScripted(cell.model, who)) return [];
    const claim = notesOf(view.trace, who).join("\n");
    if (claim === "") return [];
    return [{ claim, worker: who, evidence: sorted(liveEvidence(who, view).flat()), label }];
  });
}

/** The note of somebody's last report of each packet. */
function notesOf({ events }: Trace, who: string): string[] {
  const last = new Map<string, string>();
  for (const { side, type, detail } of events) {
    if (side !== "subject" || type !== "report") continue;
    const { worker, packetId, note, provenance } = reportIn(detail["report"]);
    if (worker !== who || provenance?.kind !== "live") continue;
    if (typeof packetId === "string" && typeof note === "string") last.set(packetId, note.trim());
  }
  return [...last.values()].filter((note) => note !== "");
}

function reportIn(value: unknown): Partial<Report> {
  return typeof value === "object" && value !== null ? value : {};
}

/** Whether the script speaks for an agent in cells of this model, by the name that `choiceLabel` gives. */
export function isScripted(label: string, agent: string): boolean {
  const parts = label.split("+");
  // No name of a model has an equals sign in it.
  const own = parts.find((part) => part.startsWith(`${agent}=`)) ?? parts.at(-1);
  return own === "scripted" || own === `${agent}=scripted`;
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "").sort();
}
