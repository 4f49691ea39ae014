/** The cells of a report that are about what the user has given. */
import type { Answer } from "../../agents/mod.ts";
import { digestOf } from "./digest.ts";
import type { RunReport } from "./report.ts";

/** What the user has given, and what was answered about it. */
export interface Given {
  /** Files, by the name of the input. */
  readonly given: Readonly<Record<string, string>>;
  /** The answer. */
  readonly answer: Answer;
}

/** Those that have an answer, in order. Reads the cells only if there are any. */
export function givenCells(report: RunReport): Given[] {
  if (!digestOf(report).briefs.some(({ isGiven }) => isGiven)) return [];
  const found: Given[] = [];
  for (const { given, answer } of report.cells) {
    if (given !== undefined && answer !== undefined) found.push({ given, answer });
  }
  return found;
}
