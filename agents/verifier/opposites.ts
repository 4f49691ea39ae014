/** A sentence of the evidence with a word turned into its opposite: `seven weeks early` for `seven weeks late`. */
import type { Claim } from "./claim.ts";
import type { Reading } from "./evidence.ts";
import type { Swap } from "./swapped.ts";
import { stem } from "./words.ts";

/** Two sides, each with its forms that have stems of their own. */
const TABLE: readonly (readonly [one: string, other: string])[] = [
  ["early earlier", "late later delayed"],
  ["opened opening", "closed closing"],
  ["increased increase", "decreased decrease"],
  ["included include", "excluded exclude"],
  ["approved approve approval", "rejected reject denied"],
  ["on_time", "late delayed"],
];

const OPPOSITES: ReadonlyMap<string, ReadonlySet<string>> = opposites();

function opposites(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (words: readonly string[], others: readonly string[]) => {
    for (const word of words) found.set(word, new Set([...(found.get(word) ?? []), ...others]));
  };
  for (const [one, other] of TABLE) {
    const [left, right] = [one, other].map((words) => words.split(" ").map(stem));
    if (left === undefined || right === undefined) continue;
    add(left, right);
    add(right, left);
  }
  return found;
}

/** Share of the claim's other content words that a sentence must have. */
const SAME = 0.6;
/** Content words that both must have besides. */
const LEAST = 2;

/**
 * Finds a word of the claim for which the sentence of the evidence that says the rest has the opposite. Words that are
 * denied on either side are left alone: `not early` is no opposite of `late`.
 */
export function oppositeWord({ tokens, negated, allStems }: Claim, { passages }: Reading): Swap | undefined {
  const said = new Set(allStems);
  // Each word once, however often a claim repeats it: the work stays linear in what is read.
  const looked = new Set<string>();
  for (const [i, { kind, lower }] of tokens.entries()) {
    if (kind !== "word" || negated[i] === true) continue;
    const word = lower === "time" && tokens[i - 1]?.lower === "on" ? stem("on_time") : stem(lower);
    const others = OPPOSITES.get(word);
    if (others === undefined || looked.has(word)) continue;
    looked.add(word);
    const own = stem(lower);
    const rest = new Set(allStems.filter((one) => one !== own));
    let found: Swap | undefined;
    for (const { stems, denied, source } of passages) {
      const shared = new Set(stems.filter((one) => rest.has(one))).size;
      if (shared < LEAST || shared < SAME * rest.size) continue;
      const seen = stems.find((one) => others.has(one) && !said.has(one) && !denied.has(one));
      if (stems.includes(own)) {
        found = undefined;
        break;
      }
      if (seen !== undefined) found ??= { said: lower, seen, source };
    }
    if (found !== undefined) return found;
  }
  return undefined;
}
