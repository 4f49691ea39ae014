/** A number that a claim gives to a field by its name, where that field holds another one. */
import { bearsOut } from "./agree.ts";
import { type Claim, quote } from "./claim.ts";
import { derive, numberOf } from "./derive.ts";
import type { Field, Reading } from "./evidence.ts";
import { against, type Finding } from "./finding.ts";
import type { NumberMention } from "./mentions.ts";
import { aligned, labelStems } from "./near.ts";
import { stem } from "./words.ts";

/** Fields of one name beyond which it is a column and no single value. */
const MAX_SAME = 3;

/** Checks numbers that stand beside the name of a field that is in no list. Numbers that follow from others are left alone. */
export function checkNamedNumbers(claim: Claim, reading: Reading): Finding[] {
  const numbers = reading.fields.filter((field) => !field.listed && numberOf(field) !== undefined);
  if (numbers.length === 0) return [];
  const wrong = claim.mentions.flatMap((mention) => {
    if (mention.kind !== "number" || mention.ordinal) return [];
    const named = aligned(claim, mention, numbers).filter((field) => comparable(mention, field));
    if (named.length === 0 || named.length > MAX_SAME) return [];
    if (named.some(({ mentions }) => mentions.some((seen) => bearsOut(mention, seen)))) return [];
    // One that is nowhere is the finding of another check.
    if (!reading.sightings.some((one) => bearsOut(mention, one.mention))) return [];
    return derive(claim, reading, mention) === undefined ? [contradiction(named, quote(claim, mention))] : [];
  });
  return [...wrong, ...wrongOnes(claim, numbers)];
}

function contradiction(named: readonly Field[], said: string): Finding {
  const [first] = named;
  const detail = `${first?.label.join(" ")} is ${first?.value.slice(0, 40)}, not ${said}`;
  return against("number", detail, named.map(({ source }) => source));
}

/** An amount says nothing of a bare count, nor the other way round. */
function comparable(mention: NumberMention, field: Field): boolean {
  return mention.unit?.dimension === numberOf(field)?.unit?.dimension;
}

/** `one charge`, `charged once`: a one in words, directly at the name of a count that is another. */
function wrongOnes({ tokens }: Claim, numbers: readonly Field[]): Finding[] {
  const counts = numbers.filter((field) => {
    const { value, unit, decimals } = numberOf(field) ?? { value: 1, decimals: 0 };
    return value > 1 && unit === undefined && decimals === 0 && field.name.includes("count");
  });
  return tokens.flatMap(({ lower }, i) => {
    const beside = lower === "once" ? tokens[i - 1] : lower === "one" || lower === "single" ? tokens[i + 1] : undefined;
    if (beside?.kind !== "word") return [];
    const named = counts.filter((field) => labelStems(field).join(" ") === stem(beside.lower));
    return named.length === 0 ? [] : [contradiction(named, lower)];
  });
}
