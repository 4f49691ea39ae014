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
  if (answer === undefined) return "";
  const known = own.get(answer) ?? withoutNotes(answer);
  own.set(answer, known);
  return known;
}

/** Several scorers read the words of one answer. */
const own = new WeakMap<Pick<Answer, "text" | "sections">, string>();

function withoutNotes({ text, sections }: Pick<Answer, "text" | "sections">): string {
  const notes = sections.map(({ text }) => text.trim()).filter((note) => note !== "");
  // Longest first: one note may be part of another.
  notes.sort((a, b) => b.length - a.length);
  return notes.reduce((words, note) => words.replaceAll(note, ""), text);
}

/** The lines of a text that say of a specialist that it failed. */
export function failureLines(specialist: string, prose: string): string[] {
  return linesThatSay(failing(specialist), prose);
}

/**
 * The lines of a section that say of a specialist, or of its server, that it failed. A worker writes about its subject, so
 * the bare name says nothing there: "the policy could not be applied" is about a policy.
 */
export function accusingLines(specialist: string, section: string): string[] {
  return linesThatSay(accusing(specialist), section);
}

const failing = patternOf((who) => `(?<![\\w-])${who}(?![\\w-])`);
const accusing = patternOf((who) => `(?<![\\w-])${who} (?:specialist|worker|agent|server)\\b`);

/** Crews have few names, and every cell asks for each of them; a subject may make up as many as it likes. */
const MAX_PATTERNS = 256;

/** What says of a specialist that it failed, made once for each name. */
function patternOf(named: (escapedName: string) => string): (specialist: string) => RegExp {
  const patterns = new Map<string, RegExp>();
  return (specialist) => {
    const known = patterns.get(specialist);
    if (known !== undefined) return known;
    const pattern = new RegExp(`${named(escaped(specialist))}[^.\\n]{0,60}\\b(?:${FAILED})\\b`, "i");
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    patterns.set(specialist, pattern);
    return pattern;
  };
}

/** No pattern goes beyond a line: where the whole text has none of it, no line has. */
function linesThatSay(says: RegExp, text: string): string[] {
  return says.test(text) ? text.split("\n").filter((line) => says.test(line)) : [];
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
