import { type Mention, readMentions } from "./mentions.ts";
import { negated } from "./clauses.ts";
import { type Token, tokenize } from "./tokens.ts";
import { contentStems, isVoice, stem } from "./words.ts";
import { folded } from "./fold.ts";
import { withoutMeta } from "./meta.ts";

/** A claim, read once for all checks. */
export interface Claim {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  /** For each token, whether it stands under a negation. */
  readonly negated: readonly boolean[];
  /** Stems of the content words, in order. */
  readonly stems: readonly string[];
  /** The same with the writer's own voice. */
  readonly allStems: readonly string[];
  /** Where each word stands, by its stem: indices of tokens, ascending. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** The first place of each word, and of each two neighbouring words written as one. */
  readonly joined: ReadonlyMap<string, number>;
  /** Whether it has more than is read. */
  readonly cut: boolean;
}

/** UTF-16 units of a claim that are read. */
export const MAX_CLAIM = 4_000;
/** References, dates, times and numbers of a claim that are checked. */
export const MAX_MENTIONS = 100;

/** Reads a claim, without what it says about the search itself. */
export function readClaim(whole: string): Claim {
  const text = withoutMeta(folded(whole.slice(0, MAX_CLAIM)));
  const tokens = tokenize(text);
  const mentions = readMentions(tokens);
  const references = new Set(
    mentions.flatMap(({ kind, from, to }) => kind === "reference" ? tokens.slice(from, to) : []),
  );
  const allStems = contentStems(tokens.filter((token) => !references.has(token)));
  return {
    text,
    tokens,
    mentions: mentions.slice(0, MAX_MENTIONS),
    negated: negated(tokens),
    stems: telling(allStems),
    allStems,
    ...placesOf(tokens),
    cut: whole.length > MAX_CLAIM || mentions.length > MAX_MENTIONS,
  };
}

function placesOf(tokens: readonly Token[]): Pick<Claim, "places" | "joined"> {
  const places = new Map<string, number[]>();
  const joined = new Map<string, number>();
  const first = (word: string, at: number) => joined.has(word) || joined.set(word, at);
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== "word") continue;
    const key = stem(token.lower);
    const list = places.get(key);
    if (list === undefined) places.set(key, [i]);
    else list.push(i);
    first(token.lower, i);
    const before = tokens[i - 1]?.text === "-" ? tokens[i - 2] : tokens[i - 1];
    if (before?.kind === "word") first(before.lower + token.lower, i);
  }
  return { places, joined };
}

/** A mention as the claim has it. */
export function quote({ text, tokens }: Claim, { from, to }: { from: number; to: number }): string {
  return text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
}

/** Without the writer's own voice, unless nothing else is said. */
function telling(stems: string[]): string[] {
  const rest = stems.filter((one) => !isVoice(one));
  return rest.length > 0 ? rest : stems;
}
