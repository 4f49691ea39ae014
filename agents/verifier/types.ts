/** What the claim verifier takes and what it gives back. */

/** `undetermined`: what was read neither bears the claim out nor speaks against it. */
export type ClaimVerdict = "supported" | "unsupported" | "undetermined";

/** An observation as the verifier sees it. */
export interface Evidence {
  /** The observation's id. */
  readonly id: string;
  /** Its text: JSON, `key: value` lines, `key is value; …` rows, or prose. Untrusted. */
  readonly text: string;
}

/**
 * What a reason can be about. Closed. Of a supported claim the same kinds say what bears it out: the number, the date,
 * the field that says yes.
 *
 * - `reference_missing`, `number_missing`, `date_missing`, `time_missing`, `name_missing`, `item_missing` (of a list): the claim states one that
 *   occurs nowhere in the evidence, and (numbers) cannot be derived from it
 * - `number`, `date`, `time`, `unit`, `value`: the field or row that the claim speaks of holds another one
 * - `null_asserted`: the field that the claim speaks of is null
 * - `polarity`: the evidence says no where the claim says yes, or the other way round
 * - `derived`: a number that is not in the evidence and follows from it; says how
 * - `reference`: an identifier that the evidence has
 * - `overlap`: how much of the claim's wording one passage bears out
 * - `wording`: a sentence of the evidence is the claim but for one word, or has as it is a number that the claim only bounds
 * - `no_claim`: the statement is about the search itself, and states no fact of the world
 * - `not_read`: claim or evidence is larger than what is read
 */
export const CLAIM_REASON_KINDS = [
  "reference_missing",
  "number_missing",
  "date_missing",
  "time_missing",
  "name_missing",
  "item_missing",
  "reference",
  "number",
  "date",
  "time",
  "unit",
  "value",
  "null_asserted",
  "polarity",
  "derived",
  "overlap",
  "wording",
  "no_claim",
  "not_read",
] as const;

/** One of {@link CLAIM_REASON_KINDS}. */
export type ClaimReasonKind = typeof CLAIM_REASON_KINDS[number];

/** Why a claim got its verdict. */
export interface ClaimReason {
  /** What it is about. */
  readonly kind: ClaimReasonKind;
  /** What was seen, for people. Quotes claim and evidence: untrusted. */
  readonly detail: string;
}

/** What was found about one claim. */
export interface ClaimCheck {
  /** The verdict. */
  readonly verdict: ClaimVerdict;
  /** Ids of the observations that the claim rests on, or that speak against it, in the order given. */
  readonly evidence: readonly string[];
  /** Why, at least one. */
  readonly reasons: readonly ClaimReason[];
}
