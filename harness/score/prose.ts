/** Reads what an answer's text says of failures. Words, not understanding: what it cannot tell it does not hold against anybody. */
import type { Answer } from "../../agents/mod.ts";

/** Ways to say that somebody did not do their part. That an order "was not refunded" is none of them. */
const FAILED = [
  "failed",
  "failure",
  "unavailable",
  "not available",
  "not reachable",
  "timed out",
  "is down",
  "was down",
  "could not",
  "does not exist",
  "did(?: not|n't) (?:answer|respond|reply|report|finish|start|run|work|complete)",
  "was(?: not|n't) (?:started|run|reached|done|completed|available)",
].join("|");

/**
 * The answer's own words: its text without what its sections report. "The refund failed" in a worker's note is about the
 * refund and not about the worker.
 */
export function ownWords(answer: Pick<Answer, "text" | "sections"> | undefined): string {
  const notes = (answer?.sections ?? []).map(({ text }) => text.trim()).filter((note) => note !== "");
  // Longest first: one note may be part of another.
  notes.sort((a, b) => b.length - a.length);
  return notes.reduce((words, note) => words.replaceAll(note, ""), answer?.text ?? "");
}

/** The lines of a text that say of a specialist that it failed. */
export function failureLines(specialist: string, prose: string): string[] {
  const name = specialist.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const says = new RegExp(`(?<![\\w-])${name}(?![\\w-])[^.\\n]{0,60}\\b(?:${FAILED})\\b`, "i");
  return prose.split("\n").filter((line) => says.test(line));
}
