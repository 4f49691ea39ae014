/** A note as single statements. */

/** Abbreviations that end in a full stop and do not end a sentence. */
const ABBREVIATIONS = new Set(
  "e.g i.e etc cf vs mr mrs ms dr prof st no nos fig approx dept est inc ltd co corp jr sr u.s u.k a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec"
    .split(" "),
);
/** Of these, such as may end a sentence all the same, if a capital follows. */
const MAY_END = new Set(["etc", "a.m", "p.m", "u.s", "u.k", "inc", "ltd", "co", "corp", "jr", "sr"]);

const OPENING = new Set(["(", "[", "{", "“"]);
const CLOSING = new Set([")", "]", "}", "”"]);
/** Brackets deeper than this, or open for longer than this many characters, are taken for stray ones. */
const MAX_DEPTH = 8;
const MAX_BRACKET = 400;

/**
 * The sentences of a note, without the white space around them; joined by spaces they are the note again, up to white
 * space. Cut at `.`, `!`, `?` (with closing quotes and brackets) before white space, at line breaks and after `;`,
 * but not inside brackets, numbers, initials (`R. Okafor`) and abbreviations. Linear in the note's length.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { splitClaims } from "./mod.ts";
 *
 * assert.deepEqual(splitClaims("R. Okafor paid $129.00. No refund yet (KB-201; see below)."), [
 *   "R. Okafor paid $129.00.",
 *   "No refund yet (KB-201; see below).",
 * ]);
 * ```
 */
export function splitClaims(note: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let opened = 0;
  const cut = (end: number) => {
    const part = note.slice(start, end).trim();
    if (part !== "") parts.push(part);
    start = end;
    depth = 0;
  };
  for (let i = 0; i < note.length; i++) {
    const char = note.charAt(i);
    if (char === "\n" || char === "\r") {
      cut(i);
    } else if (OPENING.has(char) && depth < MAX_DEPTH) {
      if (depth === 0) opened = i;
      depth += 1;
    } else if (CLOSING.has(char) && depth > 0) {
      depth -= 1;
    } else if ((depth === 0 || i - opened > MAX_BRACKET) && endsAt(note, i, start)) {
      cut(afterClosers(note, i + 1));
      i = start - 1;
    }
  }
  cut(note.length);
  return parts;
}

/** Past quotes and brackets that close the sentence, and more stops. */
function afterClosers(note: string, at: number): number {
  while (at < note.length && `.!?"'”’)]`.includes(note.charAt(at))) at += 1;
  return at;
}

function endsAt(note: string, at: number, start: number): boolean {
  const char = note.charAt(at);
  if (char !== "." && char !== "!" && char !== "?" && char !== ";") return false;
  const after = afterClosers(note, at + 1);
  if (after < note.length && note.charAt(after).trim() !== "") return false;
  return char !== "." || !isAbbreviation(note, at, after, start);
}

/** Whether the full stop belongs to an initial, a list number or an abbreviation. */
function isAbbreviation(note: string, at: number, after: number, start: number): boolean {
  let from = at;
  while (from > start && at - from < 12 && note.charAt(from - 1).trim() !== "" && note.charAt(from - 1) !== "(") {
    from -= 1;
  }
  const word = note.slice(from, at);
  const next = note.slice(after, after + 12).trim().charAt(0);
  if (next === "") return false;
  if (/^\p{Lu}$/u.test(word)) return true;
  if (/^\d{1,3}$/.test(word) && note.slice(start, from).trim() === "") return true;
  const lower = word.toLowerCase();
  if (!ABBREVIATIONS.has(lower)) return false;
  return !(MAY_END.has(lower) && next !== next.toLowerCase());
}
