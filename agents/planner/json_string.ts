import type { Cursor } from "./cursor.ts";
import type { RepairId } from "./repairs.ts";

/** How a kind of quote opens and closes a string. */
interface QuoteKind {
  readonly close: string;
  /** A character that opens an inner pair of the same kind; that pair is part of the value. */
  readonly nest?: string;
  /** Whether the closing character is also an apostrophe. */
  readonly apostrophe?: true;
  readonly repair: RepairId;
}

// JSON's own quote is not here: it ends at the next one that is not escaped, and typographic quotes are text inside it.
const KINDS: ReadonlyMap<string, QuoteKind> = new Map<string, QuoteKind>([
  ["“", { close: "”", nest: "“", repair: "smart_quotes" }],
  ["”", { close: "”", repair: "smart_quotes" }],
  ["„", { close: "“”", repair: "smart_quotes" }],
  ["«", { close: "»", nest: "«", repair: "smart_quotes" }],
  ["＂", { close: "＂", repair: "smart_quotes" }],
  ["‘", { close: "’", nest: "‘", apostrophe: true, repair: "smart_quotes" }],
  ["’", { close: "’", apostrophe: true, repair: "smart_quotes" }],
  ["'", { close: "'", apostrophe: true, repair: "single_quotes" }],
]);

/** Whether a character opens a string, in JSON or by a mend. */
export function opensString(char: string): boolean {
  return char === '"' || KINDS.has(char);
}

// deno-lint-ignore no-control-regex -- strict JSON forbids raw control characters in a string
const PLAIN = /[^"\\\u0000-\u001f]+/y;
// deno-lint-ignore no-control-regex -- as above
const CONTROL = /[\u0000-\u001f]/;
const SPACE = /\s*/y;
const LETTER = /[\p{L}\p{N}]/u;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const HEX4 = /[0-9a-fA-F]{4}/y;

/**
 * Reads the string that opens at the cursor.
 *
 * @param follow The characters that may come after it here (`:` after a key, `,` or a bracket after a value). They
 * decide whether a quote that is also text, such as an apostrophe, is the end.
 */
export function readString(cursor: Cursor, follow: string): string {
  const kind = KINDS.get(cursor.char);
  if (kind !== undefined) return readOther(cursor, kind, follow);
  const parts: string[] = [];
  cursor.skip();
  for (;;) {
    parts.push(cursor.take(PLAIN));
    const char = cursor.char;
    if (char === '"') {
      cursor.skip();
      return parts.join("");
    }
    parts.push(readSpecial(cursor, char));
  }
}

function readOther(cursor: Cursor, kind: QuoteKind, follow: string): string {
  cursor.mend(kind.repair);
  cursor.skip();
  const parts: string[] = [];
  let inner = 0;
  for (;;) {
    const char = cursor.char;
    const apostrophe = kind.apostrophe && betweenLetters(cursor);
    if (char !== "" && kind.close.includes(char) && !apostrophe) {
      if (inner > 0) inner--;
      else if (endsHere(cursor, follow)) break;
      else cursor.stop("a quote inside a string that is quoted by the same character");
    } else if (char !== "" && char === kind.nest) {
      inner++;
    }
    if (char === "\\" || char === "" || CONTROL.test(char)) parts.push(readSpecial(cursor, char));
    else {
      parts.push(char);
      cursor.skip();
    }
  }
  cursor.skip();
  return parts.join("");
}

function betweenLetters(cursor: Cursor): boolean {
  const { text, pos } = cursor;
  return LETTER.test(text.charAt(pos - 1)) && LETTER.test(text.charAt(pos + 1));
}

function endsHere(cursor: Cursor, follow: string): boolean {
  const after = cursor.pos + 1;
  const next = cursor.text.charAt(after + cursor.peek(SPACE, after).length);
  // At the end of the text the reply is cut: let the caller find that out.
  return next === "" || follow.includes(next) || next === "/" || next === "#";
}

/** Reads an escape or a raw control character, or stops at the end of the text. */
function readSpecial(cursor: Cursor, char: string): string {
  if (char !== "\\") {
    if (char === "") cursor.stop("the reply ends inside a string");
    cursor.mend("control_character");
    cursor.skip();
    return char;
  }
  const start = cursor.pos;
  cursor.skip();
  const code = cursor.char;
  if (code === "u") {
    cursor.skip();
    const hex = cursor.take(HEX4);
    if (hex === "") cursor.stop("\\u without four hex digits");
    return String.fromCharCode(parseInt(hex, 16));
  }
  const meant = ESCAPES.get(code);
  if (meant === undefined) {
    // `\'` and `\_` can only mean the character; `\d` or `\x` would have to be guessed.
    if (code === "" || LETTER.test(code) || CONTROL.test(code)) cursor.stop("a backslash that escapes nothing");
    cursor.mend("bad_escape", start);
  }
  cursor.skip();
  return meant ?? code;
}
