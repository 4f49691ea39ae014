/** Text as words, numbers and single symbols, in one pass. */

/** A word (letters and inner apostrophes), a number as written (`1,290.00`), or one other character that is no space. */
export interface Token {
  readonly kind: "word" | "number" | "symbol";
  /** As written. */
  readonly text: string;
  /** In lower case, without regard to any locale. */
  readonly lower: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly start: number;
  /** Where it ends, exclusive. */
  readonly end: number;
  /** Whether it follows the token before it without a space. */
  readonly glued: boolean;
}

// Disjoint classes and no nested repetition over the same characters: one pass, whatever the input.
const TOKEN = /(\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*)|(\d+(?:[.,]\d+)*)|([^\s])/gu;

/** The tokens of a text, in order. Linear in its length. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let last = -1;
  for (const match of text.matchAll(TOKEN)) {
    const [raw, word, number] = match;
    const start = match.index;
    const end = start + raw.length;
    const kind = word !== undefined ? "word" : number !== undefined ? "number" : "symbol";
    tokens.push({ kind, text: raw, lower: raw.toLowerCase().replaceAll("’", "'"), start, end, glued: start === last });
    last = end;
  }
  return tokens;
}
