/**
 * Text from models, servers and files is hostile: it may move the cursor, hide itself or turn a line around.
 */

// Controls but tab and newline; formats (bidirectional, zero-width, tags); line and paragraph separators; lone surrogates;
// whatever else is drawn as nothing, but the emoji selector.
const HIDDEN = /(?![\t\n\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes a text safe to print: characters that a terminal would obey or hide become visible as `\u{…}`.
 *
 * @example
 * ```ts
 * import { printable } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(printable("\u001b[31mred\u202e"), "\\u{1b}[31mred\\u{202e}");
 * ```
 */
export function printable(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** {@linkcode printable} on one line: newlines and tabs become a space. */
export function oneLine(text: string): string {
  return printable(text.replace(/[\r\n\t]+/g, " "));
}

/** Cuts a text to `max` UTF-16 units, the last of which says that it was cut; never through a character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return max < 1 ? "" : text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "") + "…";
}

/**
 * The candidate that a misspelt word most likely meant, by edit distance (Damerau-Levenshtein, restricted), or
 * `undefined` if none is near.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  // At most a third of the word may differ, and never all of it.
  let bound = Math.min(Math.max(1, Math.floor(word.length / 3)) + 1, word.length);
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bound);
    if (distance < bound) [best, bound] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let [older, previous]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    [older, previous] = [previous, row];
  }
  return previous[b.length] ?? bound;
}
