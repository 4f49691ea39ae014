/** Numbers that are not in the evidence and follow from it. */
import { roundsTo } from "./agree.ts";
import type { Claim } from "./claim.ts";
import type { Field, Reading } from "./evidence.ts";
import type { NumberMention } from "./mentions.ts";

/** How a number follows, and from which observations. */
export interface Derivation {
  readonly how: string;
  readonly sources: readonly number[];
}

/** A way to reach a number, and the words that say that it was gone. */
type Way = "sum" | "mean" | "difference" | "product" | "ratio";

const CUES: Readonly<Record<Way, ReadonlySet<string>>> = {
  sum: new Set("total totals totalling totaling sum together combined altogether overall all both".split(" ")),
  mean: new Set("average averages mean averaged".split(" ")),
  difference: new Set(
    ("difference more less fewer increase increased decrease decreased rose rises fell grew growth change changed higher " +
      "lower larger smaller saved remaining remain left longer shorter older younger after later earlier apart").split(
        " ",
      ),
  ),
  product: new Set("total totals totalling altogether together all times".split(" ")),
  ratio: new Set("times ratio per rate share proportion portion percent percentage % half fraction average".split(" ")),
};

/** Numbers that pairs are formed of. */
const MAX_OPERANDS = 80;
/** Content words up to which a claim is a bare number, which may have been reached in any way. */
const BARE = 2;

/**
 * Looks for a count, a sum, a mean, a difference, a product, a ratio or a percentage that gives the number. All but
 * counts need a word in the claim that says so: among many numbers some pair gives nearly any number.
 */
export function derive(claim: Claim, reading: Reading, wanted: NumberMention): Derivation | undefined {
  const bare = claim.stems.length <= BARE;
  const said = (way: Way) => bare || claim.tokens.some(({ lower }) => CUES[way].has(lower));
  return count(claim, reading, wanted) ?? column(reading, wanted, said) ?? run(reading, wanted, said) ??
    pair(reading, wanted, said);
}

const gives = (wanted: NumberMention, value: number): boolean =>
  Number.isFinite(value) &&
  (roundsTo(value, wanted.base, wanted.decimals) && fits(wanted, value) ||
    roundsTo(value, wanted.value, wanted.decimals) && fits(wanted, value) ||
    wanted.approximate && Math.abs(value - wanted.value) <= Math.abs(value) * 0.1);

/** A small whole number is no rounding of something else. */
const fits = ({ decimals }: NumberMention, value: number): boolean =>
  decimals > 0 || Math.abs(value) >= 10 || Number.isInteger(value);

/** How many records there are, how many values one name has, or how often a value that the claim names stands there. */
function count({ stems }: Claim, { fields }: Reading, wanted: NumberMention): Derivation | undefined {
  if (wanted.decimals > 0 || wanted.value < 0 || wanted.unit !== undefined) return undefined;
  const spoken = new Set(stems);
  for (const [name, same] of Map.groupBy(fields, ({ labelText }) => labelText)) {
    if (same.length < 2) continue;
    if (same.length === wanted.value) return { how: `the number of ${name}`, sources: sourcesOf(same) };
    for (const [value, equal] of Map.groupBy(same, ({ value }) => value.toLowerCase())) {
      const named = equal[0]?.stems.length !== 0 && equal[0]?.stems.every((one) => spoken.has(one)) === true;
      if (named && equal.length === wanted.value) {
        return { how: `how often ${name} is ${value.slice(0, 40)}`, sources: sourcesOf(equal) };
      }
    }
  }
  return undefined;
}

const sourcesOf = (fields: readonly Field[]) => [...new Set(fields.map(({ source }) => source))].slice(0, 5);

/** The number of a field that is one. */
export function numberOf({ mentions }: Field): NumberMention | undefined {
  const [only, more] = mentions.filter(({ kind }) => kind === "number");
  return only?.kind === "number" && more === undefined ? only : undefined;
}

type Said = (way: Way) => boolean;

/** Sum and mean of all values under one name, and the share of them that one value has. */
function column({ fields }: Reading, wanted: NumberMention, said: Said): Derivation | undefined {
  for (const [name, same] of Map.groupBy(fields, ({ labelText }) => labelText)) {
    if (same.length < 2) continue;
    const values = same.map((field) => numberOf(field)?.value).filter((one) => one !== undefined);
    if (values.length === same.length) {
      const sum = values.reduce((a, b) => a + b, 0);
      if (said("sum") && gives(wanted, sum)) return { how: `the sum of ${name}`, sources: sourcesOf(same) };
      if (said("mean") && gives(wanted, sum / values.length)) {
        return { how: `the mean of ${name}`, sources: sourcesOf(same) };
      }
    }
    if (wanted.unit?.dimension !== "percent") continue;
    for (const [value, equal] of Map.groupBy(same, ({ value }) => value)) {
      if (gives(wanted, equal.length / same.length * 100)) {
        return { how: `the share of ${name} that is ${value.slice(0, 40)}`, sources: sourcesOf(equal) };
      }
    }
  }
  return undefined;
}

/** Numbers that follow each other in one observation and are added up or averaged, at most. */
const MAX_RUN = 6;
/** Numbers from which runs are begun. */
const MAX_STARTS = 2000;

/** Sum or mean of three and more numbers that follow each other in one observation. */
function run({ sightings }: Reading, wanted: NumberMention, said: Said): Derivation | undefined {
  if (!said("sum") && !said("mean") || Math.abs(wanted.base) < 10 && wanted.decimals === 0) return undefined;
  const numbers = sightings.slice(0, MAX_STARTS).flatMap(({ mention, source, inName }) =>
    mention.kind === "number" && !mention.ordinal && inName !== true ? [{ value: mention.value, source }] : []
  );
  for (const [i, { source }] of numbers.entries()) {
    let sum = 0;
    const terms: number[] = [];
    for (const next of numbers.slice(i, i + MAX_RUN)) {
      if (next.source !== source) break;
      sum += next.value;
      terms.push(next.value);
      if (terms.length < 3) continue;
      if (said("sum") && gives(wanted, sum)) return { how: terms.join(" + "), sources: [source] };
      if (said("mean") && gives(wanted, sum / terms.length)) {
        return { how: `the mean of ${terms.join(", ")}`, sources: [source] };
      }
    }
  }
  return undefined;
}

/** Two numbers of the evidence that give it. */
function pair({ sightings }: Reading, wanted: NumberMention, said: Said): Derivation | undefined {
  const seen = new Map<number, number>();
  for (const { mention, source, inName } of sightings) {
    if (mention.kind === "number" && !mention.ordinal && inName !== true && !seen.has(mention.value)) {
      seen.set(mention.value, source);
    }
    if (seen.size >= MAX_OPERANDS) break;
  }
  const percent = wanted.unit?.dimension === "percent";
  const ways = OPERATIONS.filter(({ way, plain }) => said(way) && !(percent && plain));
  for (const [a, from] of seen) {
    for (const [b, also] of seen) {
      if (a === b) continue;
      const found = ways.find(({ apply }) =>
        gives(wanted, apply(a, b) * 1) || percent && gives(wanted, apply(a, b) * 100)
      );
      if (found !== undefined) return { how: `${a} ${found.sign} ${b}`, sources: [...new Set([from, also])] };
    }
  }
  return undefined;
}

/** `plain`: its result is no percentage. */
const OPERATIONS: readonly { way: Way; sign: string; plain: boolean; apply: (a: number, b: number) => number }[] = [
  { way: "sum", sign: "+", plain: true, apply: (a, b) => a + b },
  { way: "difference", sign: "−", plain: false, apply: (a, b) => a - b },
  { way: "product", sign: "×", plain: true, apply: (a, b) => a * b },
  { way: "ratio", sign: "÷", plain: false, apply: (a, b) => a / b },
  { way: "difference", sign: "against", plain: false, apply: (a, b) => (a - b) / b },
  { way: "ratio", sign: "against", plain: false, apply: (a, b) => (a - b) / b },
];
