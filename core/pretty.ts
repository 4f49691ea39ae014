import { keyed, MAX_DEPTH, plain, scalar, sorted } from "./canonical.ts";

/**
 * Writes a value as JSON for people, in one way only: two spaces a level, a member a line, no newline at the end. Keys are
 * sorted as {@linkcode canonicalJson} sorts them, but for those that are indices of an array (`0`, `17`): they come first,
 * by their number, since objects of the language have them so.
 *
 * @param level How deep the text will stand in another one; its first line is not indented.
 * @throws {TypeError} As `canonicalJson` does.
 * @example
 * ```ts
 * import { prettyJson } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(prettyJson({ b: [], a: [1] }), '{\n  "a": [\n    1\n  ],\n  "b": []\n}');
 * ```
 */
export function prettyJson(value: unknown, level = 0): string {
  return write(value, 0, `\n${"  ".repeat(level)}`);
}

/** @param line What begins a line of what the value is part of. */
function write(value: unknown, depth: number, line: string): string {
  if (depth > MAX_DEPTH) throw new TypeError(`nested deeper than ${MAX_DEPTH} levels, or a cycle`);
  if (typeof value !== "object" || value === null) return scalar(value);
  const inner = line + "  ";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    let out = "[" + inner + write(value[0], depth + 1, inner);
    const next = "," + inner;
    for (let i = 1; i < value.length; i++) out += next + write(value[i], depth + 1, inner);
    return out + line + "]";
  }
  const record = plain(value);
  let out = "";
  for (const key of indicesFirst(sorted(Object.keys(record)))) {
    const member = record[key];
    if (member === undefined) continue;
    out += (out === "" ? "{" : ",") + inner + keyed(key) + " " + write(member, depth + 1, inner);
  }
  return out === "" ? "{}" : out + line + "}";
}

/** Sorted keys as an object has them. Few have a digit in front. */
function indicesFirst(keys: readonly string[]): readonly string[] {
  for (const key of keys) {
    const unit = key.charCodeAt(0);
    if (unit >= 0x30 && unit <= 0x39) return Object.keys(Object.fromEntries(keys.map((key) => [key, 0])));
  }
  return keys;
}
