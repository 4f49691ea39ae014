/** An answer's text as a quotation. */
import type { Answer } from "../../agents/mod.ts";
import { count, draw, type Line, type Screen, wrap } from "./layout.ts";

/** What is known of an answer, and how much of it is quoted. */
interface QuoteOptions {
  /** In characters. */
  readonly columns: number;
  /**
   * Most lines of its text.
   *
   * @default {Infinity}
   */
  readonly maxLines?: number;
  /**
   * Whether only its text was shown: its status says nothing then.
   *
   * @default {false}
   */
  readonly isText?: boolean;
}

/** Quotes an answer: its status, then its text between bars. Text of an answer is never taken for the report's own. */
export function explainAnswer(answer: Answer | undefined, options: Screen & QuoteOptions): string[] {
  return answerLines(answer, options).map((line) => draw(line, options));
}

/** {@linkcode explainAnswer} before it is drawn. */
export function answerLines(
  answer: Answer | undefined,
  { columns, maxLines = Infinity, isText = false }: QuoteOptions,
): Line[] {
  if (answer === undefined) return [[["  There is no answer.", "dim"]]];
  const lines = answer.text.split("\n").flatMap((line) => wrap(line, columns - 4));
  const kept = lines.length > maxLines ? lines.slice(0, maxLines - 1) : lines;
  const quoted = kept.map((line): Line => [["  │ ", "dim"], line]);
  const left = lines.length - kept.length;
  return [
    [["  answer    ", "dim"], isText ? "text" : answer.status],
    ...quoted,
    ...(left === 0 ? [] : [[["  │ ", "dim"], [`… ${count(left, "more line")}`, "dim"]] as const]),
  ];
}
