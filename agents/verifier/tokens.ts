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
const TOKEN = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*|\d+(?:[.,]\d+)*|[^\s]/gu;
const LETTER = /^\p{L}/u;

/** The tokens of a text, in order. Linear in its length. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const curly = text.includes("’");
  let last = -1;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [raw] = match;
    const start = match.index;
    const end = start + raw.length;
    const lower = raw.toLowerCase();
    tokens.push({
      kind: kindOf(raw),
      text: raw,
      lower: curly ? lower.replaceAll("’", "'") : lower,
      start,
      end,
      glued: start === last,
    });
    last = end;
  }
  return tokens;
}

function kindOf(raw: string): Token["kind"] {
  const code = raw.charCodeAt(0);
  if (code >= 48 && code <= 57) return "number";
  if (code >= 97 && code <= 122 || code >= 65 && code <= 90) return "word";
  return code > 127 && LETTER.test(raw) ? "word" : "symbol";
}
