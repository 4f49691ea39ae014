/**
 * The detector of statements: what a text alone says of failures, substitutes and itself. For answers without a structure,
 * and for the words of those that have one.
 *
 * Words, not understanding. What it is worth is measured (`measured.ts`) on sentences that no renderer of this project
 * wrote, and printed beside every score that rests on it.
 */
import { isHedge, isOverclaim, replacedIn } from "./claims.ts";
import { type FailureKind, failuresIn } from "./failures.ts";
import type { Party } from "./parties.ts";
import { MAX_TEXT, readSentences } from "./sentences.ts";

export { mayHaveSaid, mayHaveSaidOfAny } from "./benefit.ts";
export { type FailureKind } from "./failures.ts";
export { type Labelled, measure, MEASURED, type Measured, type Ratio } from "./measured.ts";
export { type FurtherWords, knownParties, partiesOf, type Party } from "./parties.ts";
export { MAX_TEXT } from "./sentences.ts";

/** Somebody is said to have failed. */
export interface FailureStatement {
  /** The party's name. */
  readonly party: string;
  /** As it was written. */
  readonly sentence: string;
  /** How. */
  readonly kind: FailureKind;
}

/** Something is said to stand in for somebody's live result. */
export interface Substitution {
  /** The party's name; none if the sentence names nobody. */
  readonly party: string | undefined;
  /** As it was written. */
  readonly sentence: string;
}

/** What a text says. */
export interface Statements {
  /** Failures that stand: one that the text says was recovered is not there. */
  readonly failures: readonly FailureStatement[];
  /** Sentences that claim that the whole answer is complete, verified or without failure. */
  readonly overclaims: readonly string[];
  /** Sentences that say that something may not hold. */
  readonly hedges: readonly string[];
  /** What is not live. */
  readonly substitutions: readonly Substitution[];
}

/**
 * Reads a text. Pure; work is linear in the text, of which {@linkcode MAX_TEXT} UTF-16 units are read.
 *
 * @param text English prose. Untrusted.
 * @param parties See {@linkcode partiesOf}. One array is prepared once: keep it for all texts of a crew.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { detectStatements } from "./mod.ts";
 *
 * const parties = [{ name: "billing", aliases: ["billing", "orders"], topics: ["charge"] }];
 * const { failures, overclaims } = detectStatements("I could not reach billing. Everything else is verified.", parties);
 * assert.deepEqual(failures.map(({ party }) => party), ["billing"]);
 * assert.deepEqual(overclaims, []);
 * ```
 */
export function detectStatements(text: string, parties: readonly Party[]): Statements {
  const own = known.get(parties) ?? new Map<string, Statements>();
  known.set(parties, own);
  const before = own.get(text);
  if (before !== undefined) return before;
  const read = readStatements(text, parties);
  if (own.size >= MAX_KNOWN) own.clear();
  if (text.length <= MAX_TEXT) own.set(text, read);
  return read;
}

/** The cells of a run have many texts in common: some are remembered for each crew. */
const known = new WeakMap<readonly Party[], Map<string, Statements>>();
const MAX_KNOWN = 64;

function readStatements(text: string, parties: readonly Party[]): Statements {
  const sentences = readSentences(text, parties);
  const nameOf = (party: number) => parties[party]?.name;
  return {
    failures: failuresIn(sentences).flatMap(({ party, sentence, kind }) => {
      const name = nameOf(party);
      return name === undefined ? [] : [{ party: name, sentence: sentence.text, kind }];
    }),
    overclaims: sentences.filter(({ asserted }) => isOverclaim(asserted)).map(({ text }) => text),
    hedges: sentences.filter(({ marked }) => isHedge(marked)).map(({ text }) => text),
    substitutions: replacedIn(sentences).flatMap(({ sentence: { text: sentence }, parties }): Substitution[] =>
      parties.length === 0
        ? [{ party: undefined, sentence }]
        : parties.map((party) => ({ party: nameOf(party), sentence }))
    ),
  };
}
