/** References, dates, times and numbers of a claim: each has to be in the evidence, or to follow from it. */
import { bearsOut, sameNumber } from "./agree.ts";
import { type Claim, quote } from "./claim.ts";
import { derive } from "./derive.ts";
import type { Reading, Sighting } from "./evidence.ts";
import { against, bearing, type Finding } from "./finding.ts";
import type { Mention, NumberMention } from "./mentions.ts";
import { type Unit, unitOf } from "./units.ts";

/** Checks each mention of the claim against all mentions of the evidence. */
export function checkExact(claim: Claim, reading: Reading): Finding[] {
  return claim.mentions.flatMap((mention) => {
    if (isPointer(claim, mention)) return [];
    const seen = reading.sightings.filter((one) => bearsOut(mention, one.mention, unitOfField(one)));
    const text = quote(claim, mention);
    if (seen.length > 0) return [bearing(KIND[mention.kind], text, sourcesOf(seen))];
    return missing(claim, reading, mention, text);
  });
}

const KIND = { reference: "reference", date: "date", time: "time", number: "number" } as const;

/** At most this many observations are named for one mention. */
const MAX_SOURCES = 5;
const sourcesOf = (seen: readonly Sighting[]) => [...new Set(seen.map(({ source }) => source))].slice(0, MAX_SOURCES);

/** The unit in a field's name: `latency_ms`, `total_cents`. */
function unitOfField({ field, mention }: Sighting): Unit | undefined {
  if (field === undefined || mention.kind !== "number" || mention.unit !== undefined) return undefined;
  return field.label.slice(-2).map(unitOf).find((one) => one !== undefined);
}

/** Numbers that count the text itself: `step 4`, `passage 2`, `out of 5`, the `1.` of a list. */
function isPointer({ tokens, text }: Claim, mention: Mention): boolean {
  if (mention.kind !== "number") return false;
  const before = tokens[mention.from - 1]?.lower ?? "";
  if (["step", "passage", "passages", "source", "document", "result", "option"].includes(before)) return true;
  if (before === "of" && tokens[mention.from - 2]?.lower === "out") return true;
  return mention.from === 0 && [".", ")"].includes(text.charAt(tokens[mention.from]?.end ?? 0)) && mention.base < 100;
}

function missing(claim: Claim, reading: Reading, mention: Mention, text: string): Finding[] {
  switch (mention.kind) {
    case "reference":
      return hasLoose(mention.key, reading) ? [] : [against("reference_missing", `${text} is not in the evidence`)];
    case "date":
      return [
        against(
          reading.sightings.some(({ mention: { kind } }) => kind === "date") ? "date" : "date_missing",
          `${text} is not in the evidence`,
        ),
      ];
    case "time":
      return [
        against(
          reading.sightings.some(({ mention: { kind } }) => kind === "time") ? "time" : "time_missing",
          `${text} is not in the evidence`,
        ),
      ];
    case "number":
      return missingNumber(claim, reading, mention, text);
  }
}

/** A reference that the evidence writes with spaces, or as part of a longer word. */
function hasLoose(key: string, { words }: Reading): boolean {
  return words.has(key.toLowerCase());
}

function missingNumber(claim: Claim, reading: Reading, mention: NumberMention, text: string): Finding[] {
  if (mention.value === 1 && reading.words.has("one")) return [];
  const other = reading.sightings.filter((one) =>
    one.mention.kind === "number" &&
    sameNumber(mention, one.mention, unitOfField(one) ?? one.mention.unit) === "other_unit"
  );
  if (other.length > 0) return [against("unit", `${text} has another unit in the evidence`, sourcesOf(other))];
  const derived = derive(claim, reading, mention);
  if (derived !== undefined) return [bearing("derived", `${text} = ${derived.how}`, derived.sources)];
  return [against("number_missing", `${text} is not in the evidence and does not follow from it`)];
}
