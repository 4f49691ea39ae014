/** An answer's text, rendered from its structure. */
import { clip, oneLine, printable } from "../../core/mod.ts";
import type { Answer, AnswerFailure, Provenance } from "../types.ts";

/** The longest name and the longest reason that the text gives in full, in UTF-16 units; the structure has them whole. */
const MAX_NAME = 80;
const MAX_REASON = 300;

/** How an answer is worded. */
export interface Wording {
  /** Whether it is a review: it then ends with all that did not run, in one line. */
  readonly isReview?: boolean;
}

/**
 * Renders an answer's text from its structure.
 *
 * What models and servers say stands in it as data, so it must not pass for the answer's own words. A line of the
 * answer's own begins at the margin. Of a section, all lines but the first are indented; the reason of a failure is the
 * last thing on its line; a name that is more than a word is quoted. What a terminal would obey is made visible.
 */
export function renderAnswer(
  { status, sections, failures, summary }: Omit<Answer, "text">,
  { isReview = false }: Wording = {},
): string {
  const lines: string[] = [];
  if (summary !== undefined) lines.push(`Summary: ${indented(summary)}`);
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
  if (isReview && failures.length > 0) lines.push(`INCOMPLETE REVIEW - not run: ${failures.map(named).join(", ")}`);
  return lines.join("\n");
}

const named = ({ specialist, code }: AnswerFailure): string => `${shownName(specialist)} (${code})`;

/** A provenance in words. */
export function describe(provenance: Provenance): string {
  switch (provenance.kind) {
    case "live":
      return "a live result";
    case "cached":
      return `a cached ${provenance.source} as of ${provenance.asOf}`;
    case "human":
      return "a person's answer";
  }
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
