/** Full-width and mathematical figures, letters and signs as the plain ones that they look like. */

// Only what stands for a number, a reference or its unit. Full-width quotes and brackets stay: as plain ones they would
// change where a JSON string ends.
const WIDE = /[０-９Ａ-Ｚａ-ｚ＄％＋，－．￠￡￥﹩﹪\u{1D7CE}-\u{1D7FF}]/gu;

/** The same text with compatibility forms folded (NFKC, of these characters only): `＄９９９．００` is `$999.00`. */
export function folded(text: string): string {
  return text.replace(WIDE, (one) => one.normalize("NFKC"));
}
