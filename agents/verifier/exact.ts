/** References, dates, times and numbers of a claim: each has to be in the evidence, or to follow from it. */
import { bearsOut, sameNumber } from "./agree.ts";
import { type Claim, quote } from "./claim.ts";
import { derive } from "./derive.ts";
import type { Reading, Sighting } from "./evidence.ts";
import { against, bearing, type Finding, lacking } from "./finding.ts";
import { hasLoosely } from "./loose.ts";
import type { Mention, NumberMention, ReferenceMention } from "./mentions.ts";
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
      return missingReference(reading, mention, text);
    case "date":
      return [
        lacking(
          reading.sightings.some(({ mention: { kind } }) => kind === "date") ? "date" : "date_missing",
          `${text} is not in the evidence`,
        ),
      ];
    case "time":
      return [
        lacking(
          reading.sightings.some(({ mention: { kind } }) => kind === "time") ? "time" : "time_missing",
          `${text} is not in the evidence`,
        ),
      ];
    case "number":
      return missingNumber(claim, reading, mention, text);
  }
}

function missingReference({ observations }: Reading, mention: ReferenceMention, text: string): Finding[] {
  const sources = [...observations.keys()].filter((i) => {
    const one = observations[i];
    return one !== undefined && hasLoosely(mention, one);
  });
  return sources.length === 0
    ? [lacking("reference_missing", `${text} is not in the evidence`)]
    : [bearing("reference", text, sources.slice(0, MAX_SOURCES))];
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
  return [lacking("number_missing", `${text} is not in the evidence and does not follow from it`)];
}
