/** Lines for a terminal: the one place where text from models, servers and scenarios is made safe, measured and cut. */
import { oneLine } from "../../core/mod.ts";
import type { Outcome } from "../score/check.ts";

/** What a piece of a line stands for. Nothing is told by colour alone. */
export type Style = "plain" | "dim" | "bold" | Outcome;

/** A piece of a line. */
export type Piece = string | readonly [text: string, style: Style];

/** A line, before it is cut to a width and coloured. */
export type Line = readonly Piece[];

/** How lines are drawn. */
export interface Screen {
  /** The width that no line exceeds, in terminal cells. */
  readonly columns: number;
  /** Whether escape sequences for colour may be used. */
  readonly colour: boolean;
}

const CODES: Readonly<Record<Exclude<Style, "plain">, number>> = {
  dim: 2,
  bold: 1,
  pass: 32,
  fail: 31,
  error: 35,
  untestable: 33,
};

/** East Asian wide and emoji, generously: a character that is taken for wide and is not costs a space, no more. */
const WIDE = new RegExp(
  "[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f" +
    "\\uff01-\\uff60\\uffe0-\\uffe6\\u{16fe0}-\\u{1b2ff}\\u{1f000}-\\u{1faff}\\u{20000}-\\u{3fffd}]" +
    "|\\p{Emoji_Presentation}",
  "u",
);

/**
 * Width of a text in terminal cells. Combining marks count as one each: a text of nothing else must have an end too.
 */
export function width(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let cells = 0;
  for (const char of text) cells += WIDE.test(char) ? 2 : 1;
  return cells;
}

/** Makes a text printable, on one line of at most `max` cells. The last says that it was cut, if it was. */
export function fit(text: string, max: number): string {
  // However long the text is, only as much of it is looked at as can be shown.
  const limit = Math.max(0, max) * 4 + 64;
  const clean = oneLine(text.slice(0, limit));
  if (text.length <= limit && width(clean) <= max) return clean;
  if (max < 1) return "";
  let [out, cells] = ["", 0];
  for (const char of clean) {
    cells += width(char);
    if (cells > max - 1) break;
    out += char;
  }
  return `${out}…`;
}

/** {@linkcode fit}, filled up with spaces to exactly `size` cells. */
export function pad(text: string, size: number, align: "left" | "right" = "left"): string {
  const shown = fit(text, size);
  const space = " ".repeat(Math.max(0, size - width(shown)));
  return align === "left" ? shown + space : space + shown;
}

/** Width of the widest of some texts as they are shown, at most `max` cells. */
export function widest(texts: Iterable<string>, max: number): number {
  let most = 0;
  for (const text of texts) most = Math.max(most, width(fit(text, max)));
  return most;
}

/** Longest text that {@linkcode wrap} looks at, in UTF-16 units. */
const MAX_WRAPPED = 4000;

/** Breaks a text into lines of at most `max` cells, between words where it can. Makes it printable on the way. */
export function wrap(text: string, max: number): string[] {
  const words = oneLine(text.slice(0, MAX_WRAPPED)).split(/ +/).filter((word) => word !== "");
  if (text.length > MAX_WRAPPED) words.push("…");
  const lines: string[] = [];
  let line = "";
  for (const word of words.flatMap((one) => chop(one, Math.max(2, max)))) {
    if (line !== "" && width(line) + 1 + width(word) > max) {
      lines.push(line);
      line = word;
    } else line += line === "" ? word : ` ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** {@linkcode wrap}, but at most so many lines: the last one says that there was more, if there was. */
export function wrapUpTo(most: number, text: string, max: number): string[] {
  const lines = wrap(text, max);
  return lines.length <= most ? lines : lines.slice(0, most).with(-1, fit(`${lines[most - 1]} …`, max));
}

/** Cuts a word into parts that fit. */
function chop(word: string, max: number): string[] {
  const parts: string[] = [];
  let [part, cells] = ["", 0];
  for (const char of word) {
    const wide = width(char);
    if (cells + wide > max) {
      parts.push(part);
      [part, cells] = ["", 0];
    }
    part += char;
    cells += wide;
  }
  return [...parts, part];
}

/** Puts parts on lines of at most `max` cells, as many as fit; a part is broken only where it is too wide for a line. */
export function flow(parts: readonly string[], gap: string, max: number): string[] {
  const lines: string[] = [];
  for (const part of parts.flatMap((one) => width(one) > max ? wrap(one, max) : [one])) {
    const last = lines.at(-1);
    if (last === undefined || width(last) + gap.length + width(part) > max) lines.push(part);
    else lines[lines.length - 1] = last + gap + part;
  }
  return lines;
}

/** Draws a line: every piece made printable, the whole cut to the screen's width. */
export function draw(line: Line, { columns, colour }: Screen): string {
  let [out, left] = ["", columns];
  for (const piece of line) {
    const [text, style] = typeof piece === "string" ? [piece, "plain"] as const : piece;
    const shown = fit(text, left);
    left -= width(shown);
    out += colour && style !== "plain" && shown.trim() !== "" ? `\x1b[${CODES[style]}m${shown}\x1b[0m` : shown;
  }
  return out.trimEnd();
}

/** An outcome as a table shows it: whatever is not green stands out without colour too. */
export function outcomeWord(outcome: Outcome): string {
  return outcome === "pass" ? "pass" : outcome.toUpperCase();
}

/** `1 cell`, `2 cells`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
