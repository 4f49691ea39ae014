/** Words and their stems; the few closed lists of words that carry no fact. */
import type { Token } from "./tokens.ts";

/** Function words of English: they say nothing about whether a claim is borne out. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  ("a an the of in to on at by for with from as is are was were be been being am do does did done doing has have had " +
    "having it its it's this that these those there here he she they we you i them him her his their our your my me " +
    "us and or but not no nor so if than then too very can could will would shall should may might must also into " +
    "onto over under about above below between through during before after up down out off again further more most " +
    "such only own same both each any all some other who whom whose what when where why how which while although " +
    "though however because until since upon within without per via etc yes yet still just even well get gets got " +
    "one's don't doesn't didn't isn't aren't wasn't weren't hasn't haven't won't can't cannot").split(" "),
);

/** Whether a word (lower case) is a function word. */
export function isFunctionWord(lower: string): boolean {
  return FUNCTION_WORDS.has(lower);
}

/**
 * Words with which a writer reports, sums up, or judges. They are the note's own voice: whether the evidence has them
 * says little about whether a claim is borne out, so wording is compared without them. Of any subject; no topic's words.
 */
const VOICE = "according additionally also appear apparently comment describe express feedback find found highlight " +
  "indicate know known mention note noted notable praise recommend recommendation report review reviewer say said " +
  "seem state stated suggest summary overall conclusion worth particularly especially despite generally typically " +
  "based provided information passage section " +
  "amazing beautiful best delicious enjoy enjoyable excellent exceptional fantastic favorite favourite fine good " +
  "great ideal impressive lovely nice outstanding perfect pleasant popular positive negative mixed quality superb " +
  "welcoming wonderful high highly important various several many numerous different multiple range variety wide " +
  "selection option choice offer provide feature include including available make making give take come like look " +
  "looking use using need want help allow ensure consider located situated customer guest patron visitor people " +
  "person individual place spot location establishment business destination experience";

/** A stem of one of {@link VOICE}. */
export function isVoice(stemmed: string): boolean {
  return VOICE_STEMS.has(stemmed);
}

/** The stems of a text's content words, in order. */
export function contentStems(tokens: readonly Token[]): string[] {
  const stems: string[] = [];
  for (const { kind, lower } of tokens) {
    if (kind === "word" && lower.length > 1 && !isFunctionWord(lower)) stems.push(stem(lower));
  }
  return stems;
}

const PLURAL_ES = /(?:s|x|z|ch|sh)es$/;
const ENDINGS = "ations ation ingly edly ness ments ment ing er ed ly al ity e y".split(" ");

/**
 * A crude stem: plural off, then the longest of a few English endings, at least three letters left, a doubled last
 * letter once (`reversed`, `reverse` → `revers`; `shipping`, `ships` → `ship`). Both sides of a comparison go through
 * it, so it need not be a word.
 */
export function stem(lower: string): string {
  const before = known.get(lower);
  if (before !== undefined) return before;
  const found = stemOf(lower);
  if (known.size >= MAX_KNOWN) known.clear();
  if (lower.length <= MAX_WORD) known.set(lower, found);
  return found;
}

/** Stems found before: texts repeat their words. */
const known = new Map<string, string>();
const MAX_KNOWN = 10_000;
const MAX_WORD = 40;

function stemOf(lower: string): string {
  const own = lower.endsWith("'s") ? lower.slice(0, -2) : lower;
  const word = singular(own);
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= 3);
  const bare = ending === undefined ? word : word.slice(0, -ending.length);
  return bare.length > 3 && bare.at(-1) === bare.at(-2) ? bare.slice(0, -1) : bare;
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return PLURAL_ES.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

const VOICE_STEMS: ReadonlySet<string> = new Set(VOICE.split(" ").map(stem));
