/** Texts made comparable. */

/** Shorter texts occur by chance. In characters. */
export const TELLING = 20;

/** A text as its words alone: case, white space, punctuation and markup do not hide a quotation. */
export function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}$€£%]+/gu, " ").trim();
}

/**
 * The sentences of a text that are long enough to tell, folded. A full stop inside a number or after an abbreviation
 * only makes more and shorter pieces, of which the short ones are left out.
 */
export function sentences(text: string): string[] {
  return text.split(/(?<=[.?!…。？！])\s+|[\r\n]+/u).map(folded).filter(({ length }) => length >= TELLING);
}
