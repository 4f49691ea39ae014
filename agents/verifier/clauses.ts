/** Where a statement says no. */
import type { Token } from "./tokens.ts";
import { contentStems, stem } from "./words.ts";

const NEGATIONS = new Set(
  ("no not never neither nor without none nothing cannot lacks lack lacking unavailable isn't aren't wasn't weren't " +
    "doesn't don't didn't hasn't haven't hadn't won't can't couldn't wouldn't").split(" "),
);
/** What stands between a subject and its `not`. */
const COPULAS = new Set(["is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did"]);
/** Of these, such as make the `not` say no to the subject as well: `a is not b`, `a has not been b`. */
const OF_SUBJECTS = new Set(["is", "are", "was", "were", "be", "been", "has", "have", "had"]);
const CONTRACTED = new Set(["isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't", "hadn't", "unavailable"]);
/** Words at which a new clause begins. */
const BREAKS = new Set(["but", "while", "although", "though", "however", "whereas", "because", "since", "so"]);
/** Words that, after a comma or `and`, begin a new clause with a subject of its own. */
const SUBJECTS = new Set(["it", "they", "he", "she", "we", "there", "you", "the", "this", "that", "its", "their"]);
const STOPS = new Set([";", ".", "!", "?", ":", "("]);
const MAY_END = new Set([...BREAKS, ...SUBJECTS, ...STOPS, "yet"]);

/**
 * For each token, whether it stands under a negation: after one in its clause (`does not offer a, b or c`), or before
 * one that belongs to the verb (`a is not available`, `a is no longer sold`). `not only` says no to nothing.
 */
export function negated(tokens: readonly Token[]): boolean[] {
  const result = tokens.map(() => false);
  if (!tokens.some(({ lower }) => NEGATIONS.has(lower))) return result;
  let start = 0;
  for (const end of clauseEnds(tokens)) {
    for (let i = start; i < end; i++) {
      const word = tokens[i]?.lower ?? "";
      if (
        !NEGATIONS.has(word) || tokens[i + 1]?.lower === "only" || word === "no" && tokens[i + 1]?.lower === "doubt"
      ) continue;
      const denies = word === "not" || word === "never" || word === "neither" ||
        word === "no" && tokens[i + 1]?.lower === "longer";
      const onVerb = CONTRACTED.has(word) || denies && COPULAS.has(tokens[i - 1]?.lower ?? "");
      const copula = tokens[i - 1]?.lower ?? "";
      const passive = onVerb && (CONTRACTED.has(word) || OF_SUBJECTS.has(copula));
      result.fill(true, passive ? start : i, end);
      break;
    }
    start = end;
  }
  return result;
}

/** Words that stand between a negation and what it denies, and words of the negation itself. */
const BETWEEN = new Set(["longer", "never", "neither", "get", "got", "ever", "yet", "actually"]);

/** What each negation of a statement denies first, as a stem: `refund` of `did not get refunded`. */
export function deniedHeads(tokens: readonly Token[], no: readonly boolean[]): Set<string> {
  const heads = new Set<string>();
  for (const [i, { lower }] of tokens.entries()) {
    if (!NEGATIONS.has(lower) || no[i] !== true) continue;
    const head = tokens.slice(i + 1, i + 1 + HEAD_SPAN).find((one) =>
      one.kind === "word" && !BETWEEN.has(one.lower) && contentStems([one]).length > 0
    );
    if (head !== undefined) heads.add(stem(head.lower));
  }
  return heads;
}

/** Tokens after a negation in which what it denies is looked for. */
const HEAD_SPAN = 4;

/** Whether a word is part of a negation and says nothing else. */
export function isOfNegation(stemmed: string): boolean {
  return OF_NEGATION.has(stemmed);
}

const OF_NEGATION: ReadonlySet<string> = new Set(["never", "neither", "nor", "longer"].map(stem));

/** Where clauses end, exclusive, in tokens. */
function clauseEnds(tokens: readonly Token[]): number[] {
  const ends: number[] = [];
  for (let i = 1; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || !MAY_END.has(token.lower)) continue;
    const before = tokens[i - 1]?.lower ?? "";
    const after = tokens[i + 1]?.lower ?? "";
    const fresh = SUBJECTS.has(token.lower) && (before === "," || before === "and") ||
      token.lower === "yet" && before === ",";
    if (BREAKS.has(token.lower) || fresh || STOPS.has(token.text) && !isDot(token, after)) {
      ends.push(i);
    }
  }
  return [...ends, tokens.length];
}

/** A dot inside of an abbreviation. */
function isDot(token: Token, after: string): boolean {
  return token.text === "." && after !== "" && after.length === 1;
}
