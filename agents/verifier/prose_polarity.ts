/** Prose that says the same as a claim, but for a `not`. */
import type { Claim } from "./claim.ts";
import type { Reading } from "./evidence.ts";
import { deniedHeads, isOfNegation } from "./clauses.ts";
import { against, type Finding } from "./finding.ts";
import { contentStems } from "./words.ts";

/** Share of the claim's content words that a sentence must have to say the same. */
const SAME = 0.75;
/** Content words below which two sentences may be alike by chance. */
const LEAST = 3;

/** Finds sentences with nearly all of the claim's words of which one is denied on one side only. */
export function checkProsePolarity({ tokens, negated, allStems }: Claim, { passages }: Reading): Finding[] {
  const wanted = new Set(allStems.filter((one) => !isOfNegation(one)));
  if (wanted.size < LEAST) return [];
  const denied = new Set(contentStems(tokens.filter((_, i) => negated[i])));
  const heads = deniedHeads(tokens, negated);
  let [same, contrary]: [boolean, Finding | undefined] = [false, undefined];
  for (const { stems, denied: no, source, field } of passages) {
    if (field && stems.length <= LEAST) continue;
    const shared = new Set(stems.filter((one) => wanted.has(one)));
    if (shared.size < LEAST || shared.size < SAME * wanted.size) continue;
    const differing = [...shared].filter((one) => denied.has(one) !== no.has(one));
    if (differing.length === 0) same = true;
    else if (differing.length * 2 >= shared.size || differing.some((one) => heads.has(one))) {
      contrary = against("polarity", `the evidence says the contrary of ${differing.slice(0, 4).join(" ")}`, [source]);
    }
  }
  return same || contrary === undefined ? [] : [contrary];
}
