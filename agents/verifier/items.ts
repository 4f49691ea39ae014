/** Things that a claim lists as examples, and that the evidence does not have. */
import type { Claim } from "./claim.ts";
import type { Reading } from "./evidence.ts";
import { type Finding, lacking } from "./finding.ts";
import type { Token } from "./tokens.ts";
import { contentStems, isVoice } from "./words.ts";

/** Content words that one item may have; longer ones are clauses. */
const MAX_ITEM = 4;

/**
 * Checks the items after `such as` and `including`: of a list of two or more, each has to have its last content word,
 * which is what it is, in the evidence. Items with numbers are left to the checks of numbers.
 */
export function checkItems({ tokens }: Claim, { stems }: Reading): Finding[] {
  const items = tokens.flatMap((_, i) => {
    const start = listStart(tokens, i);
    return start === undefined ? [] : [itemsFrom(tokens, start)];
  }).filter((list) => list.length >= 2).flat();
  const missing = items.filter((item) => !stems.has(item.at(-1) ?? ""));
  return missing.map((item) => lacking("item_missing", `${item.join(" ")} is not in the evidence`));
}

function listStart(tokens: readonly Token[], i: number): number | undefined {
  const word = tokens[i]?.lower;
  if (word === "such" && tokens[i + 1]?.lower === "as") return i + 2;
  return word === "including" || word === "include" || word === "includes" ? i + 1 : undefined;
}

function itemsFrom(tokens: readonly Token[], from: number): string[][] {
  const items: Token[][] = [[]];
  for (const token of tokens.slice(from)) {
    if ([".", ";", ":", "(", "!", "?"].includes(token.text)) break;
    if (token.text === "," || ["and", "or", "but"].includes(token.lower)) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items.filter((item) => item.length > 0 && item.every(({ kind }) => kind !== "number"))
    .map((item) => contentStems(item).filter((one) => !isVoice(one)))
    .filter((stems) => stems.length > 0 && stems.length <= MAX_ITEM);
}
