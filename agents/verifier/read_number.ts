import type { Bound, NumberMention } from "./mentions.ts";
import type { Token } from "./tokens.ts";
import { type Unit, unitOf } from "./units.ts";

const ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
  "seventeen eighteen nineteen").split(" ");
const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS = ("_ first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth").split(" ");
const TIMES = new Map([["twice", 2], ["thrice", 3], ["dozen", 12]]);
/** All words that {@link readWords} may begin with. */
const NUMBER_WORDS = new Set([...ONES, ...TENS, ...ORDINALS, ...TIMES.keys()]);
const MULTIPLIERS = new Map([
  ["hundred", 1e2],
  ["thousand", 1e3],
  ["million", 1e6],
  ["mn", 1e6],
  ["billion", 1e9],
  ["bn", 1e9],
  ["trillion", 1e12],
]);
/** Only directly at a number: `$5m`, `12k`. */
const GLUED_MULTIPLIERS = new Map([["k", 1e3], ["m", 1e6], ["b", 1e9]]);
const APPROXIMATE = new Set(
  "about around approximately roughly nearly almost over above under below some circa least most than ~ approx".split(
    " ",
  ),
);

/** Reads a number: `1,290.00`, `$129`, `12 %`, `-3.5`, `two`, `twenty-one`, `3 and a half`, `5 million`, `3rd`, `twice`. */
export function readNumber(tokens: readonly Token[], from: number): NumberMention | undefined {
  const core = readDigits(tokens, from) ?? readWords(tokens, from);
  if (core === undefined) return undefined;
  let { value, to } = core;
  if (tokens[to]?.lower === "and" && tokens[to + 1]?.lower === "a" && tokens[to + 2]?.lower === "half") {
    value += 0.5;
    to += 3;
  }
  const prefix = currencyBefore(tokens, from);
  const base = value;
  const next = tokens[to];
  const multiplier = MULTIPLIERS.get(next?.lower ?? "") ??
    (next?.glued && (prefix !== undefined || next.lower === "k") ? GLUED_MULTIPLIERS.get(next.lower) : undefined);
  if (multiplier !== undefined) {
    value *= multiplier;
    to += 1;
  }
  const unit = unitAfter(tokens, to);
  const sign = isNegative(tokens, prefix === undefined ? from : from - 1) ? -1 : 1;
  const before = tokens[(prefix === undefined ? from : from - 1) - 1];
  return {
    kind: "number",
    from,
    to: unit?.to ?? to,
    value: value * sign,
    base: base * sign,
    decimals: core.decimals,
    ...pick(prefix ?? unit?.unit),
    ordinal: core.ordinal,
    approximate: before !== undefined && APPROXIMATE.has(before.lower),
    ...boundOf(tokens, prefix === undefined ? from : from - 1, to),
  };
}

/** One or two words before a number with which it is a bound. */
const BOUNDS: ReadonlyMap<string, Bound> = new Map([
  ...["over", "above", "exceeding", "more than", "greater than", "higher than", "longer than", "at least"]
    .map((said): [string, Bound] => [said, "up"]),
  ...["under", "below", "less than", "fewer than", "lower than", "shorter than", "at most", "up to"]
    .map((said): [string, Bound] => [said, "down"]),
]);

/** `more than 5`, `5+`. */
function boundOf(tokens: readonly Token[], first: number, to: number): { bound?: Bound } {
  const [one, two] = [tokens[first - 1]?.lower ?? "", tokens[first - 2]?.lower ?? ""];
  const bound = BOUNDS.get(`${two} ${one}`) ?? BOUNDS.get(one) ??
    (tokens[to]?.text === "+" && tokens[to]?.glued === true ? "up" : undefined);
  return bound === undefined ? {} : { bound };
}

const pick = (unit: Unit | undefined): { unit?: Unit } => unit === undefined ? {} : { unit };

interface Core {
  readonly value: number;
  readonly decimals: number;
  readonly ordinal: boolean;
  readonly to: number;
}

/** The value of digits as written: commas group thousands, or stand for the point (`3,5`). */
function valueOf(text: string): { value: number; decimals: number } | undefined {
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)
    ? text.replaceAll(",", "")
    : /^\d+,\d{1,2}$/.test(text)
    ? text.replace(",", ".")
    : text;
  if (!/^\d+(?:\.\d+)?$/.test(plain)) return undefined;
  return { value: Number(plain), decimals: plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0 };
}

function readDigits(tokens: readonly Token[], from: number): Core | undefined {
  const token = tokens[from];
  if (token?.kind !== "number" || token.text.length > 40) return undefined;
  if (token.glued && tokens[from - 1]?.kind === "word") return undefined; // the 95 of p95
  const read = valueOf(token.text);
  if (read === undefined) return undefined;
  const ordinal = tokens[from + 1]?.glued === true && ["st", "nd", "rd", "th"].includes(tokens[from + 1]?.lower ?? "");
  return { ...read, ordinal, to: ordinal ? from + 2 : from + 1 };
}

/** `two`, `twenty-one`, `third`, `twice`. A bare `one` is a pronoun as often as a number and is not read. */
function readWords(tokens: readonly Token[], from: number): Core | undefined {
  const word = tokens[from];
  if (word?.kind !== "word") return undefined;
  if (!NUMBER_WORDS.has(word.lower)) return undefined;
  const times = TIMES.get(word.lower);
  if (times !== undefined) return { value: times, decimals: 0, ordinal: false, to: from + 1 };
  const ordinal = ORDINALS.indexOf(word.lower);
  if (ordinal > 2) return { value: ordinal, decimals: 0, ordinal: true, to: from + 1 };
  const ones = ONES.indexOf(word.lower);
  if (ones === 0 || ones >= 2) return { value: ones, decimals: 0, ordinal: false, to: from + 1 };
  const tens = TENS.indexOf(word.lower);
  if (tens < 2) return undefined;
  const second = ONES.indexOf(tokens[from + 2]?.lower ?? "");
  const compound = tokens[from + 1]?.text === "-" && second >= 1 && second <= 9;
  return { value: tens * 10 + (compound ? second : 0), decimals: 0, ordinal: false, to: from + (compound ? 3 : 1) };
}

/** The currency whose sign stands before the number. */
function currencyBefore(tokens: readonly Token[], from: number): Unit | undefined {
  const sign = tokens[from - 1];
  return sign !== undefined && ["$", "€", "£"].includes(sign.text) ? unitOf(sign.text) : undefined;
}

/** The unit after the number, past a hyphen: `5 business days`, `5-minute`, `40 %`. */
function unitAfter(tokens: readonly Token[], to: number): { unit: Unit; to: number } | undefined {
  const at = tokens[to]?.text === "-" && tokens[to]?.glued ? to + 1 : to;
  const [one, two] = [tokens[at]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  if (one === "per" && two === "cent") return percent(at + 2);
  const double = unitOf(`${one}_${two}`);
  if (double !== undefined) return { unit: double, to: at + 2 };
  const unit = unitOf(one);
  return unit === undefined ? undefined : { unit, to: at + 1 };
}

function percent(to: number): { unit: Unit; to: number } | undefined {
  const unit = unitOf("%");
  return unit === undefined ? undefined : { unit, to };
}

/** A minus that is no hyphen and no dash of a range. */
function isNegative(tokens: readonly Token[], first: number): boolean {
  const minus = tokens[first - 1];
  return (minus?.text === "-" || minus?.text === "−") && tokens[first]?.glued === true &&
    !(minus.glued && tokens[first - 2]?.kind !== "symbol");
}
