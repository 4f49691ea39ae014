import { Cursor, type Mend, ReadStop, type StopCause } from "./cursor.ts";
import { opensString, readString } from "./json_string.ts";
import { type JsonNode, type JsonObject, sameNode } from "./node.ts";

/** Deepest nesting that is read. A plan needs about ten levels; the stack bears thousands. */
export const MAX_DEPTH = 64;

/** A value that was complete in the text. */
export interface ReadValue {
  readonly kind: "value";
  readonly value: JsonNode;
  /** Offset after the value. */
  readonly end: number;
  readonly mends: readonly Mend[];
  /** Keys that one object has twice, with different values. */
  readonly conflicts: readonly { readonly key: string; readonly at: number }[];
  /** Offsets of the objects inside. */
  readonly offsets: ReadonlyMap<JsonNode, number>;
  readonly work: number;
}

/** Text that opens like a value and is none. */
export interface BrokenValue {
  readonly kind: "broken";
  readonly cause: StopCause;
  /** Offset at which reading stopped, and from which a scanner may go on. */
  readonly at: number;
  /** What was found there, for people. */
  readonly why: string;
  /** Brackets open at that place. */
  readonly open: number;
  /** Whether anything was read but opening brackets: prose in brackets has not started. */
  readonly started: boolean;
  /** Quoted keys that were read. */
  readonly keys: ReadonlySet<string>;
  readonly work: number;
}

/**
 * Reads the value that opens at an offset, mending how it is written and never what it says.
 *
 * No closing bracket or quote is ever invented: a value that the text does not finish is `broken` with cause `end`.
 */
export function readJson(text: string, start: number): ReadValue | BrokenValue {
  const reader = new Reader(text, start);
  try {
    const value = reader.value(0, "");
    const { cursor: { pos, mends, work }, conflicts, offsets } = reader;
    return { kind: "value", value, end: pos, mends, conflicts, offsets, work };
  } catch (stop) {
    if (!(stop instanceof ReadStop)) throw stop;
    const { open, started, keys, cursor: { work } } = reader;
    return { kind: "broken", cause: stop.cause, at: stop.at, why: stop.why, open, started, keys, work };
  }
}

const SPACE = /[ \t\r\n]+/y;
// White space and invisible characters that JSON does not know, such as U+00A0, U+200B and U+FEFF.
const ODD_SPACE = /(?:(?![ \t\r\n])[\s\u200b\u2060\ufeff])+/y;
const LINE_COMMENT = /(?:\/\/|#(?=[\s#!]))[^\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$-]*/y;
// "… and so on" in a comment stands for tasks that are not there: half a plan.
const OMISSION = /^(?:\/\/|#|\/\*)\s*(?:\.\.\.|…)/;
const WORDS: ReadonlyMap<string, JsonNode> = new Map<string, JsonNode>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);

class Reader {
  readonly cursor: Cursor;
  readonly conflicts: { key: string; at: number }[] = [];
  readonly offsets = new Map<JsonNode, number>();
  readonly keys = new Set<string>();
  open = 0;
  started = false;

  constructor(text: string, start: number) {
    this.cursor = new Cursor(text, start);
  }

  value(depth: number, follow: string): JsonNode {
    const { cursor } = this;
    const char = cursor.char;
    if (char === "{" || char === "[") {
      if (depth >= MAX_DEPTH) {
        throw new ReadStop("depth", cursor.pos, `brackets nested deeper than ${MAX_DEPTH} levels`);
      }
      this.open++;
      const node = char === "{" ? this.object(depth) : this.array(depth);
      this.open--;
      this.started = true;
      return node;
    }
    const node = opensString(char) ? readString(cursor, follow) : this.scalar();
    this.started = true;
    return node;
  }

  object(depth: number): JsonObject {
    const { cursor } = this;
    const object: JsonObject = new Map();
    this.offsets.set(object, cursor.pos);
    cursor.skip();
    this.members("}", () => {
      const at = cursor.pos;
      const key = this.key();
      this.trivia();
      if (cursor.char !== ":") cursor.stop(`":" expected after a key`);
      cursor.skip();
      this.started = true;
      this.trivia();
      const value = this.value(depth + 1, ",}");
      const old = object.get(key);
      if (old === undefined) object.set(key, value);
      else if (sameNode(old, value)) cursor.mend("duplicate_key", at);
      else this.conflicts.push({ key, at });
    });
    return object;
  }

  array(depth: number): JsonNode[] {
    const list: JsonNode[] = [];
    this.cursor.skip();
    this.members("]", () => list.push(this.value(depth + 1, ",]")));
    return list;
  }

  /** Reads members up to the closing bracket. A comma before it is mended, a hole between two commas is not. */
  members(close: string, member: () => void): void {
    const { cursor } = this;
    this.trivia();
    while (cursor.char !== close) {
      member();
      this.trivia();
      if (cursor.char === close) break;
      if (cursor.char !== ",") cursor.stop(`"," or "${close}" expected`);
      const comma = cursor.pos;
      cursor.skip();
      this.trivia();
      if (cursor.char === close) cursor.mend("trailing_comma", comma);
    }
    cursor.skip();
  }

  key(): string {
    const { cursor } = this;
    if (opensString(cursor.char)) {
      const key = readString(cursor, ":");
      this.started = true;
      this.keys.add(key);
      return key;
    }
    const start = cursor.pos;
    const word = cursor.take(WORD);
    if (word === "") cursor.stop("a key expected");
    cursor.mend("unquoted_key", start);
    return word;
  }

  scalar(): JsonNode {
    const { cursor } = this;
    const start = cursor.pos;
    const digits = cursor.take(NUMBER);
    if (digits !== "") {
      const number = Number(digits);
      const whole = /^-?\d+$/.test(digits);
      if (!Number.isFinite(number) || (whole && !Number.isSafeInteger(number))) {
        // Rounding an order number would name another order.
        throw new ReadStop("syntax", cursor.pos, "a number too large to be exact; write it as a string");
      }
      return number;
    }
    const word = cursor.take(WORD);
    const literal = WORDS.get(word);
    if (literal === undefined) {
      if (word === "" || cursor.char === "") cursor.stop("a value expected");
      throw new ReadStop("syntax", start + word.length, "a value expected");
    }
    if (/^[TFN]/.test(word)) cursor.mend("python_literal", start);
    return literal;
  }

  trivia(): void {
    const { cursor } = this;
    for (;;) {
      cursor.take(SPACE);
      const start = cursor.pos;
      if (cursor.take(ODD_SPACE) !== "") {
        cursor.mend("odd_whitespace", start);
        continue;
      }
      const comment = cursor.take(LINE_COMMENT) || this.blockComment();
      if (comment === "") return;
      cursor.mend("comment", start);
      if (OMISSION.test(comment)) throw new ReadStop("syntax", cursor.pos, "a comment stands for something left out");
    }
  }

  blockComment(): string {
    const { cursor } = this;
    if (!cursor.text.startsWith("/*", cursor.pos)) return "";
    const end = cursor.text.indexOf("*/", cursor.pos + 2);
    const start = cursor.pos;
    cursor.skip((end === -1 ? cursor.text.length : end + 2) - start);
    if (end === -1) cursor.stop("the reply ends inside a comment");
    return cursor.text.slice(start, cursor.pos);
  }
}
