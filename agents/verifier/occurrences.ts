/** How often something happened: `charged three times` where the evidence has another count. */
import { type Claim, quote } from "./claim.ts";
import { numberOf } from "./derive.ts";
import type { Field, Reading } from "./evidence.ts";
import { against, type Finding } from "./finding.ts";
import type { Mention } from "./mentions.ts";
import { labelStems } from "./near.ts";
import type { Token } from "./tokens.ts";
import { isFunctionWord, stem } from "./words.ts";

/** A deed, and how often it was done. */
interface Occurrence {
  /** As a stem. */
  readonly deed: string;
  readonly times: number;
  readonly mention: Mention;
}

/** Words after `times` with which it multiplies and counts nothing: `three times the price`, `twice as long`. */
const MULTIPLIES = new Set(
  "as the that more larger higher faster longer bigger its their his her a an what".split(" "),
);
const OFTEN = new Set(["twice", "thrice"]);

/** Checks every `X twice` and `X three times` against count fields of X and against what prose says of X. */
export function checkOccurrences(claim: Claim, reading: Reading): Finding[] {
  const said = occurrencesOf(claim.tokens, claim.mentions);
  return said.flatMap((one) => {
    if (claim.negated[one.mention.from] === true) return [];
    const seen = [...counted(one.deed, reading.fields), ...told(one.deed, reading)];
    const [first] = seen;
    if (first === undefined || seen.some(({ times }) => times === one.times)) return [];
    const detail = `${one.deed}: ${first.times} times, not ${quote(claim, one.mention)}`;
    return [against("number", detail, [...new Set(seen.map(({ source }) => source))])];
  });
}

interface Seen {
  readonly times: number;
  readonly source: number;
}

function counted(deed: string, fields: readonly Field[]): Seen[] {
  return fields.flatMap((field) => {
    if (field.listed || !field.name.includes("count") || labelStems(field).join(" ") !== deed) return [];
    const number = numberOf(field);
    return number === undefined || number.unit !== undefined ? [] : [{ times: number.value, source: field.source }];
  });
}

function told(deed: string, { sightings, observations }: Reading): Seen[] {
  return sightings.flatMap(({ mention, source, field, inName }) => {
    if (mention.kind !== "number" || inName === true) return [];
    const tokens = field?.tokens ?? observations[source]?.prose ?? [];
    return occurrencesOf(tokens, [mention]).filter((one) => one.deed === deed).map(({ times }) => ({ times, source }));
  });
}

function occurrencesOf(tokens: readonly Token[], mentions: readonly Mention[]): Occurrence[] {
  return mentions.flatMap((mention) => {
    if (mention.kind !== "number" || mention.ordinal || mention.bound !== undefined || mention.approximate) return [];
    const often = OFTEN.has(tokens[mention.from]?.lower ?? "");
    if (!often && tokens[mention.to]?.lower !== "times") return [];
    if (MULTIPLIES.has(tokens[often ? mention.to : mention.to + 1]?.lower ?? "")) return [];
    const before = tokens[mention.from - 1];
    if (before?.kind !== "word" || isFunctionWord(before.lower)) return [];
    return [{ deed: stem(before.lower), times: mention.value, mention }];
  });
}
