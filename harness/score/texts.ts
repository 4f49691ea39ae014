/** Texts made comparable. */

/** Shorter texts occur by chance. In characters. */
export const TELLING = 20;

/** Texts that are remembered, and how long they may be, in UTF-16 units. */
const MAX_KNOWN = 256;
const MAX_LENGTH = 10_000;

/** A text as its words alone: case, white space, punctuation and markup do not hide a quotation. */
export const folded: (text: string) => string = remembered((text) =>
  text.toLowerCase().replace(/[^\p{L}\p{N}$€£%]+/gu, " ").trim()
);

/** The cells of a run have many texts in common. Short ones are remembered, a few cells' worth of them. */
function remembered(make: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    if (known.size >= MAX_KNOWN) known.clear();
    if (text.length <= MAX_LENGTH) known.set(text, made);
    return made;
  };
}

/**
 * The sentences of a text that are long enough to tell, folded. A full stop inside a number or after an abbreviation
 * only makes more and shorter pieces, of which the short ones are left out.
 */
export function sentences(text: string): string[] {
  return text.split(/(?<=[.?!…。？！])\s+|[\r\n]+/u).map(folded).filter(({ length }) => length >= TELLING);
}

/**
 * A text as its reader sees it: compatibility forms, invisible marks, emphasis, white space and case made one. Letters of
 * other scripts that look alike stay what they are.
 */
export const plain: (text: string) => string = remembered((text) =>
  text.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(EMPHASIS, "").toLowerCase()
    .replace(/\s+/gu, " ").trim()
);

/** Markdown's marks around words, not those inside a name such as `find_order`. */
const EMPHASIS = /[*`~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;

/** Whether a text has a phrase in it, as its reader sees both. */
export function mentions(text: string, phrase: string): boolean {
  return plain(text).includes(plain(phrase));
}

/**
 * Whether a text states a value: {@linkcode mentions}, and not as a part of a longer word or number. "15 business days" does
 * not state "5 business days", nor "$1,129.00" the "129.00" in it.
 */
export function states(text: string, value: string): boolean {
  const [hay, needle] = [plain(text), plain(value)];
  if (needle === "") return false;
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    const [before, after] = [hay.slice(0, at), hay.slice(at + needle.length)];
    const begins = !WORD_START.test(needle) || !CONTINUES_BEFORE.test(before);
    const ends = !WORD_END.test(needle) || !CONTINUES_AFTER.test(after);
    if (begins && ends) return true;
  }
  return false;
}

const WORD_START = /^[\p{L}\p{N}]/u;
const WORD_END = /[\p{L}\p{N}]$/u;
const CONTINUES_BEFORE = /(?:[\p{L}\p{N}]|\p{N}[.,])$/u;
const CONTINUES_AFTER = /^(?:[\p{L}\p{N}]|[.,]\p{N})/u;
