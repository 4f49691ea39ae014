/** Whether one observation alone says what a claim says. */
import { bearsOut } from "./agree.ts";
import type { Claim } from "./claim.ts";
import type { Reading } from "./evidence.ts";
import { GOOD_SUPPORT, overlapOf, supportOf } from "./overlap.ts";
import type { Token } from "./tokens.ts";
import { isFunctionWord } from "./words.ts";

const NO = new Set("no not never neither nor without none nothing cannot".split(" "));
const saysNo = (lower: string): boolean => NO.has(lower) || lower.endsWith("n't");

/** What has to be found: everything but function words that do not say no. */
const isTelling = ({ kind, lower }: Token): boolean =>
  kind === "number" || kind === "word" && (saysNo(lower) || !isFunctionWord(lower));

/** Telling words below which a claim is too short to be known by its wording. */
const LEAST = 3;
/** Places of one text from which it is compared. */
const MAX_STARTS = 50;

/**
 * The number of the first observation in which a field or the prose has the telling words and numbers of a claim, all
 * and in order, with few others between them and none that says no.
 */
export function statedIn({ tokens }: Claim, { observations }: Reading): number | undefined {
  const telling = tokens.filter(isTelling).map(({ lower }) => lower);
  if (telling.length < LEAST) return undefined;
  const at = observations.findIndex(({ fields, prose }) =>
    states(prose, telling) || fields.some(({ tokens }) => states(tokens, telling))
  );
  return at < 0 ? undefined : at;
}

function states(text: readonly Token[], telling: readonly string[]): boolean {
  let starts = 0;
  for (let from = 0; from < text.length && starts < MAX_STARTS; from++) {
    if (text[from]?.lower !== telling[0]) continue;
    if (follows(text, from, telling)) return true;
    starts += 1;
  }
  return false;
}

function follows(text: readonly Token[], from: number, telling: readonly string[]): boolean {
  let [next, others] = [0, 0];
  for (let i = from; i < text.length && next < telling.length; i++) {
    const token = text[i];
    if (token === undefined || !isTelling(token)) continue;
    if (token.lower === telling[next]) next += 1;
    else if (saysNo(token.lower) || (others += 1) * 3 > telling.length) return false;
  }
  return next === telling.length;
}

/** Whether what one observation says outside of rows has all that a claim states exactly, and its wording. */
export function standsOutsideRows({ mentions, stems }: Claim, { observations }: Reading): boolean {
  return observations.some((one) => {
    const outside = one.sightings.filter(({ field }) => field?.listed !== true);
    if (!mentions.every((mention) => outside.some((seen) => bearsOut(mention, seen.mention)))) return false;
    const passages = one.passages.filter(({ listed }) => !listed);
    return supportOf(overlapOf(stems, { passages, stems: one.stems }), 0) >= GOOD_SUPPORT;
  });
}
