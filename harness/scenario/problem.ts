/** What is wrong with a file, in one line that a person can act on. */
import { clip, nearest, oneLine } from "../../core/mod.ts";

/** A place in a file. Lines and columns count from 1. */
export interface Position {
  /** Line. */
  readonly line: number;
  /** Column, in UTF-16 units. */
  readonly column: number;
}

/** One thing that is wrong with a file: where, what, what is allowed, and what to do. */
export interface Problem extends Position {
  /** The file, as people call it. */
  readonly file: string;
  /** What is wrong, what is allowed, and what to do. */
  readonly message: string;
}

/** A value, or all that stands in its way. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The most problems that are told of one file: those after them are mostly consequences. */
export const MAX_PROBLEMS = 20;

/**
 * A problem on one line: `file:line:column message`.
 *
 * @example
 * ```ts
 * import { formatProblem } from "./problem.ts";
 * import assert from "node:assert/strict";
 *
 * const problem = { file: "a.yaml", line: 3, column: 1, message: 'unknown key "asert"' };
 * assert.equal(formatProblem(problem), 'a.yaml:3:1 unknown key "asert"');
 * ```
 */
export function formatProblem({ file, line, column, message }: Problem): string {
  return oneLine(`${file}:${line}:${column} ${message}`);
}

/** Text from a file, safe to put into a message. */
export function quote(text: string): string {
  return `"${clip(oneLine(text), 60)}"`;
}

/**
 * Says that a name is not one of those that are allowed: with the one it most likely meant, and all of them.
 *
 * @param what What is unknown, such as `key` or `tool`.
 */
export function unknown(what: string, name: string, allowed: Iterable<string>): string {
  const names = [...new Set(allowed)];
  const near = nearest(name, names);
  const hint = near === undefined ? "" : ` (did you mean ${quote(near)}?)`;
  return `unknown ${what} ${quote(name)}${hint}; allowed: ${names.map(oneLine).join(", ") || "none"}`;
}

/** At most {@linkcode MAX_PROBLEMS} problems a file, each once, in the order of their places. */
export function tidy(problems: readonly Problem[]): Problem[] {
  const byFile = new Map<string, Map<string, Problem>>();
  for (const problem of problems) {
    const seen = byFile.get(problem.file) ?? new Map<string, Problem>();
    byFile.set(problem.file, seen.set(formatProblem(problem), problem));
  }
  return [...byFile.values()].flatMap((seen) =>
    [...seen.values()].sort((a, b) => a.line - b.line || a.column - b.column).slice(0, MAX_PROBLEMS)
  );
}
