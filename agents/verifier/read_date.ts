import type { DateMention } from "./mentions.ts";
import type { Token } from "./tokens.ts";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** Their names, in full and short. */
const MONTH_WORDS = new Set([...MONTHS, ...MONTHS.map((name) => name.slice(0, 3)), "sept"]);

/** Reads a date: `2026-07-15`, `2026-07`, `7/15/2026`, `July 15, 2026`, `15 July`, `July 2026`, `July`. */
export function readDate(tokens: readonly Token[], from: number): DateMention | undefined {
  return readIso(tokens, from) ?? readSlashed(tokens, from) ?? readDayFirst(tokens, from) ??
    readMonthFirst(tokens, from);
}

const number = (token: Token | undefined, least: number, most: number): number | undefined => {
  if (token?.kind !== "number" || !/^\d{1,4}$/.test(token.text)) return undefined;
  const value = Number(token.text);
  return value >= least && value <= most ? value : undefined;
};
const day = (token: Token | undefined) =>
  token !== undefined && token.text.length <= 2 ? number(token, 1, 31) : undefined;
const year = (token: Token | undefined) => token?.text.length === 4 ? number(token, 1000, 2999) : undefined;

/** A number after a separator, none of them with a space. */
function joined(tokens: readonly Token[], at: number, separator: string): Token | undefined {
  const mark = tokens[at];
  const next = tokens[at + 1];
  return mark?.text === separator && mark.glued && next?.glued === true ? next : undefined;
}

function readIso(tokens: readonly Token[], from: number): DateMention | undefined {
  const y = year(tokens[from]);
  const monthToken = joined(tokens, from + 1, "-");
  const m = monthToken !== undefined && monthToken.text.length <= 2 ? number(monthToken, 1, 12) : undefined;
  if (y === undefined || m === undefined) return undefined;
  const d = day(joined(tokens, from + 3, "-"));
  if (d === undefined) return { kind: "date", from, to: from + 3, year: y, month: m };
  const clock = tokens[from + 5]?.text === "T" && tokens[from + 5]?.glued && tokens[from + 6]?.glued;
  return { kind: "date", from, to: from + (clock ? 6 : 5), year: y, month: m, day: d };
}

function readSlashed(tokens: readonly Token[], from: number): DateMention | undefined {
  const [a, b] = [day(tokens[from]), day(joined(tokens, from + 1, "/"))];
  const last = joined(tokens, from + 3, "/");
  if (a === undefined || b === undefined || last === undefined) return undefined;
  const short = last.text.length === 2 ? number(last, 0, 99) : undefined;
  const y = year(last) ?? (short === undefined ? undefined : 2000 + short);
  if (y === undefined || (a > 12 && b > 12)) return undefined;
  const [m, d] = a > 12 ? [b, a] : [a, b];
  return { kind: "date", from, to: from + 5, year: y, month: m, day: d, swappable: a <= 12 && b <= 12 };
}

/** The month of a word: in full, or its first three or four letters with or without a full stop. */
function monthAt(tokens: readonly Token[], at: number): { month: number; to: number; short: boolean } | undefined {
  const token = tokens[at];
  if (
    token?.kind !== "word" || !MONTH_WORDS.has(token.lower) ||
    token.text === token.lower && ["may", "march", "mar", "dec", "sep", "jan"].includes(token.lower)
  ) {
    return undefined;
  }
  const full = MONTHS.indexOf(token.lower);
  if (full >= 0) return { month: full + 1, to: at + 1, short: token.lower === "may" || token.lower === "march" };
  if (token.lower.length !== 3 && token.lower !== "sept") return undefined;
  const short = MONTHS.findIndex((name) => name.startsWith(token.lower));
  if (short < 0) return undefined;
  return { month: short + 1, to: tokens[at + 1]?.text === "." && tokens[at + 1]?.glued ? at + 2 : at + 1, short: true };
}

/** Past `st`, `nd`, `rd`, `th` and `of`. */
function pastOrdinal(tokens: readonly Token[], at: number): number {
  const suffix = tokens[at];
  const next = suffix?.glued && ["st", "nd", "rd", "th"].includes(suffix.lower) ? at + 1 : at;
  return tokens[next]?.lower === "of" ? next + 1 : next;
}

const pastComma = (tokens: readonly Token[], at: number): number => tokens[at]?.text === "," ? at + 1 : at;

function readDayFirst(tokens: readonly Token[], from: number): DateMention | undefined {
  const d = day(tokens[from]);
  if (d === undefined) return undefined;
  const month = monthAt(tokens, pastOrdinal(tokens, from + 1));
  if (month === undefined) return undefined;
  const at = pastComma(tokens, month.to);
  const y = year(tokens[at]);
  if (y === undefined) return { kind: "date", from, to: month.to, month: month.month, day: d };
  return { kind: "date", from, to: at + 1, year: y, month: month.month, day: d };
}

function readMonthFirst(tokens: readonly Token[], from: number): DateMention | undefined {
  const month = monthAt(tokens, from);
  if (month === undefined) return undefined;
  const d = day(tokens[month.to]);
  const afterDay = d === undefined ? month.to : pastOrdinal(tokens, month.to + 1);
  const at = pastComma(tokens, afterDay);
  const y = year(tokens[at]);
  if (y !== undefined) {
    return { kind: "date", from, to: at + 1, year: y, month: month.month, ...(d !== undefined && { day: d }) };
  }
  if (d !== undefined) return { kind: "date", from, to: afterDay, month: month.month, day: d };
  return month.short ? undefined : { kind: "date", from, to: month.to, month: month.month };
}
