/** A sentence of the evidence with one word replaced: `refunded manually` for `refunded automatically`. */
import type { Claim } from "./claim.ts";
import type { Reading } from "./evidence.ts";
import type { Token } from "./tokens.ts";
import { contentStems, isVoice } from "./words.ts";

/** A word of a claim, and the one that stands in its place. */
export interface Swap {
  /** Both as stems. */
  readonly said: string;
  readonly seen: string;
  readonly source: number;
}

/** Content words that a clause has to have beyond the one that differs. */
const LEAST = 4;
const SEAMS = new Set([",", ";", ":", "(", ")", ".", "–", "—"]);

/** Finds a clause of which a passage lacks one word only, where it has another between the same neighbours. */
export function swappedWord({ tokens }: Claim, { passages }: Reading): Swap | undefined {
  for (const clause of clausesOf(tokens)) {
    for (const { stems, source } of passages) {
      const said = onlyLacking(clause, stems);
      if (said === undefined || isVoice(said)) continue;
      const at = clause.indexOf(said);
      const seen = between(stems, clause[at - 1], clause[at + 1]);
      if (seen !== undefined && !clause.includes(seen) && !isVoice(seen)) return { said, seen, source };
    }
  }
  return undefined;
}

/** The one word of a clause that a passage does not have, if it is one. */
function onlyLacking(clause: readonly string[], stems: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const one of clause) {
    if (one === found || stems.includes(one)) continue;
    if (found !== undefined) return undefined;
    found = one;
  }
  return found;
}

/** The content words of each clause that has enough of them. */
function clausesOf(tokens: readonly Token[]): string[][] {
  const clauses: Token[][] = [[]];
  for (const token of tokens) {
    if (SEAMS.has(token.text)) clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses.map(contentStems).filter((stems) => stems.length > LEAST);
}

/** The word that stands alone between two; nothing stands for an end of the sentence. */
function between(stems: readonly string[], before: string | undefined, after: string | undefined): string | undefined {
  return stems.find((_, i) => stems[i - 1] === before && stems[i + 1] === after);
}
