/** The bench's check of one claim, remembered: the cells of a run have most of their claims and results in common. */
import { checkClaim, type ClaimVerdict, type Evidence } from "../../../agents/verifier/mod.ts";

/** How much text is remembered, in UTF-16 units, and how many verdicts. */
const MAX_TEXT = 4_000_000;
const MAX_VERDICTS = 4096;

/** Numbers of the texts that are remembered: a long one is compared once, and its number stands for it. */
const numbers = new Map<string, number>();
const verdicts = new Map<string, ClaimVerdict>();
let held = 0;

/** What the texts say of a claim. Without any text, a claim is unsupported. */
export function verdictOn(claim: string, texts: readonly string[]): ClaimVerdict {
  if (texts.length === 0) return "unsupported";
  if (held > MAX_TEXT || verdicts.size > MAX_VERDICTS) {
    numbers.clear();
    verdicts.clear();
    held = 0;
  }
  const key = [claim, ...texts].map(numberOf).join(" ");
  const before = verdicts.get(key);
  if (before !== undefined) return before;
  const { verdict } = checkClaim(claim, texts.map((text, i): Evidence => ({ id: String(i), text })));
  verdicts.set(key, verdict);
  return verdict;
}

function numberOf(text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const number = numbers.size;
  numbers.set(text, number);
  held += text.length;
  return number;
}
