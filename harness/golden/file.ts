/** A golden as the text of its file, and back. */
import { canonicalJson, sha256 } from "../../core/mod.ts";
import { check } from "../scenario/issues.ts";
import { type Problem, type Result, tidy } from "../scenario/problem.ts";
import { parseSource } from "../scenario/source.ts";
import { Golden } from "./schema.ts";

/** What JSON may carry as it is and a person would not see: written as escapes, which mean the same. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value as JSON text in which nothing is unseen, with a newline at its end. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(
    UNSEEN,
    (char) =>
      Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
  return `${text}\n`;
}

/** Puts the digest of everything else into a golden. */
export function sealed(golden: Omit<Golden, "sha256">): Golden {
  return { ...golden, sha256: sha256(canonicalJson(golden)) };
}

/** Whether a golden's digest is that of the rest: nobody has edited it by hand, and no merge has put it together. */
export function isSealed({ sha256: digest, ...rest }: Golden): boolean {
  return sealed(rest).sha256 === digest;
}

/** The text of a golden's file: sorted keys, two spaces. The same golden gives the same bytes. */
export function renderGolden(golden: Golden): string {
  const sorted: unknown = JSON.parse(canonicalJson(golden));
  return jsonText(sorted);
}

/**
 * Reads the text of a golden's file.
 *
 * @param file What problems call it.
 */
export function parseGolden(text: string, file: string): Result<Golden> {
  const conflict = text.split("\n").findIndex((line) => /^(<{7}|={7}|>{7}|\|{7})( |\r?$)/.test(line));
  if (conflict >= 0) {
    const message = "has the marks of a merge conflict; take either side, then run deno task golden";
    return { ok: false, problems: [{ file, line: conflict + 1, column: 1, message }] };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problems: [syntaxProblem(text, file, error instanceof Error ? error.message : "")] };
  }
  const parsed = Golden.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problems: shapeProblems(text, file) };
}

/** The engine's message tells the place in one of two ways, or quotes what stands there. */
function syntaxProblem(text: string, file: string, message: string): Problem {
  const lines = text.trimEnd().split("\n");
  const told = /line (?<line>\d+) column (?<column>\d+)/.exec(message)?.groups;
  const [line, column] = told === undefined
    ? [lines.length, (lines.at(-1)?.length ?? 0) + 1]
    : [Number(told.line), Number(told.column)];
  const what = message.replace(/ in JSON at position.*$| \(line.*$/s, "").replace(/^./, (char) => char.toLowerCase());
  return { file, line, column, message: `is not JSON: ${what}; run deno task golden to write it anew` };
}

/** JSON is YAML, whose reader knows where each value stands. */
function shapeProblems(text: string, file: string): Problem[] {
  const source = parseSource(text, file);
  if (!source.ok) return [...source.problems];
  const { value } = source;
  const checked = check(Golden, value.value, (path, message, part) => value.problem(path, message, part));
  if ("problems" in checked) return tidy(checked.problems);
  return [{ file, line: 1, column: 1, message: "is no golden" }];
}
