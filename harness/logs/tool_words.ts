/** Words of a tool's name. */

/** A tool's own words, without its server's: `drawing_fillRectangle` is drawing, fill, rectangle. */
export function wordsOf(name: string): string[] {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
