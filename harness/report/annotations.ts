/** Findings as annotations of GitHub Actions: lines that its runner reads on a step's output. */
import { clip, oneLine } from "../../core/mod.ts";
import { partialWords } from "./early_end.ts";
import { readFindings } from "./findings.ts";
import type { RunReport } from "./report.ts";

/** GitHub shows ten annotations of a kind and step, and drops the others without a word. */
export const MAX_ANNOTATIONS = 10;

/**
 * Renders the worst findings, ten at most, and a notice that sums up. Errors and failures are errors there, what is
 * untestable is a warning.
 */
export function renderAnnotations(report: RunReport): string {
  const findings = readFindings(report);
  const { pass, fail, error, untestable } = report.summary.cells;
  const left = findings.length - MAX_ANNOTATIONS;
  // The finding that says so may be one of those that are left.
  const early = report.partial === undefined ? "" : `${partialWords(report.partial)}; `;
  return [
    ...findings.slice(0, MAX_ANNOTATIONS).map(({ outcome, check, message, cells, evidence }) => {
      const more = cells.length > 1 ? ` and ${cells.length - 1} more` : "";
      const events = evidence.length === 0 ? "" : ` (events ${evidence.slice(0, 6).join(", ")})`;
      return annotation(
        outcome === "untestable" ? "warning" : "error",
        `${outcome}: ${check}`,
        `${cells[0] ?? "the run"}${more}: ${message}${events}`,
      );
    }),
    annotation(
      "notice",
      "Brownout",
      `${early}cells: ${pass} pass, ${fail} fail, ${error} error, ${untestable} untestable` +
        (left > 0 ? `; ${left} more findings are in the report` : ""),
    ),
  ].join("");
}

/** Where an annotation stands. Lines and columns are counted from 1. */
export interface AnnotationPlace {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly line?: number;
  readonly col?: number;
}

/** One annotation. Nothing in title, message or place can end it or add to it. */
export function annotation(
  kind: "error" | "warning" | "notice",
  title: string,
  message: string,
  place?: AnnotationPlace,
): string {
  const where = Object.entries(place ?? {}).map(([key, value]) => `${key}=${property(String(value))},`).join("");
  return `::${kind} ${where}title=${property(title)}::${data(message)}\n`;
}

/** As the runner's own toolkit escapes: a percent sign first, so that no text can spell an escape. */
function data(text: string): string {
  return oneLine(clip(text, 1000)).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(clip(text, 120)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Puts text between two lines that keep the runner from reading commands in it. What models and servers have said is in
 * the report, and the runner obeys `::add-mask::` or `##[error]` wherever a line has it.
 *
 * @param token Nobody who wrote the text can know it.
 */
export function withoutCommands(text: string, token: string): string {
  return `::stop-commands::${token}\n${text}${text.endsWith("\n") ? "" : "\n"}::${token}::\n`;
}
