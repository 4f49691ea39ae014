/** Which fields a number in a claim is about, by the words beside it. */
import type { Claim } from "./claim.ts";
import type { Field } from "./evidence.ts";
import type { Mention } from "./mentions.ts";
import { isFunctionWord, stem } from "./words.ts";

/** Words of a name that say that it holds a number, and not which. */
const PLAIN = new Set("id count number num amount value no".split(" "));

/** The stems of a field's own name: the telling words of its last part. */
export function labelStems({ name }: Field): string[] {
  const words = name.filter((word) => !isFunctionWord(word));
  const telling = words.filter((word) => !PLAIN.has(word));
  return (telling.length > 0 ? telling : words).map(stem);
}

/** Tokens before and after a number in which the name of what it counts is looked for. */
const BEFORE = 4;
const AFTER = 3;

/** Those of some fields whose name stands, whole, beside the mention, and nearest to it. */
export function aligned(claim: Claim, mention: Mention, fields: readonly Field[]): Field[] {
  const { tokens } = claim;
  const { from, to } = mention;
  const distance = new Map<string, number>();
  const note = (at: number, far: number) => {
    const token = tokens[at];
    if (token?.kind !== "word" || ownerOf(claim, at) !== mention) return;
    const key = stem(token.lower);
    distance.set(key, Math.min(far, distance.get(key) ?? Infinity));
  };
  for (let far = 1; far <= BEFORE; far++) note(from - far, far);
  for (let far = 1; far <= AFTER; far++) note(to + far - 1, far);
  const placed = fields.map((field) => ({ field, far: farthest(labelStems(field), distance) }));
  const nearest = placed.reduce((least, { far }) => Math.min(least, far), Infinity);
  return nearest === Infinity ? [] : placed.filter(({ far }) => far === nearest).map(({ field }) => field);
}

const farthest = (stems: readonly string[], distance: ReadonlyMap<string, number>): number =>
  stems.length === 0 ? Infinity : Math.max(...stems.map((one) => distance.get(one) ?? Infinity));

/** The number that a word goes with: the nearest, and of two the one before it (`2000 requests 50`). */
function ownerOf({ mentions }: Claim, at: number): Mention | undefined {
  let [owner, least]: [Mention | undefined, number] = [undefined, Infinity];
  for (const mention of mentions) {
    if (mention.kind !== "number") continue;
    const far = at < mention.from ? mention.from - at : at - mention.to + 1;
    if (far < least) [owner, least] = [mention, far];
  }
  return owner;
}
