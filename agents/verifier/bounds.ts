/** `More than 214 million` where the evidence has 214 million. */
import { bearsOut } from "./agree.ts";
import { type Claim, quote } from "./claim.ts";
import type { Reading } from "./evidence.ts";
import type { NumberMention } from "./mentions.ts";

/**
 * A number that a claim only bounds and that the evidence has as it is: whether the bound holds beyond it nothing says.
 * One that the evidence bounds in the same way, or a number truly on the side that is claimed, is no such thing.
 *
 * @returns As the claim has it.
 */
export function openBound(claim: Claim, { sightings }: Reading): string | undefined {
  for (const mention of claim.mentions) {
    if (mention.kind !== "number" || mention.bound === undefined) continue;
    const { bound } = mention;
    const seen = sightings.flatMap(({ mention: one }) => one.kind === "number" && bearsOut(mention, one) ? [one] : []);
    if (seen.length > 0 && !seen.some((one) => one.bound === bound || isBeyond(mention, one, bound))) {
      return `${bound === "up" ? "more" : "less"} than ${quote(claim, mention)}`;
    }
  }
  return undefined;
}

function isBeyond(claimed: NumberMention, seen: NumberMention, bound: "up" | "down"): boolean {
  const alike = claimed.unit !== undefined && claimed.unit.dimension === seen.unit?.dimension;
  const [a, b] = alike
    ? [claimed.value * (claimed.unit?.factor ?? 1), seen.value * (seen.unit?.factor ?? 1)]
    : [claimed.value, seen.value];
  return bound === "up" ? b > a : b < a;
}
