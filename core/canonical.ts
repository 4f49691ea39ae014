import { createHash } from "node:crypto";

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * Writes a value as JSON in one way only: keys sorted by UTF-16 units, no white space, members that are `undefined`
 * left out (RFC 8785, JSON Canonicalization Scheme). `-0` is written as `0`; unlike the RFC, lone surrogates are kept,
 * escaped.
 *
 * @throws {TypeError} For what JSON cannot carry: a function, a symbol, a bigint, a number that is not finite, an object
 *   that is more than its members (a Date, a Map), a cycle, or more than 200 levels.
 * @example
 * ```ts
 * import { canonicalJson } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(canonicalJson({ b: 1, a: [undefined, "x"] }), '{"a":[null,"x"],"b":1}');
 * ```
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

const MAX_DEPTH = 200;

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`nested deeper than ${MAX_DEPTH} levels, or a cycle`);
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`);
      return String(value); // as JSON has it: ECMA-262 gives both by Number::toString, and 0 for -0
    case "undefined":
      return "null";
    case "object":
      break;
    default:
      throw new TypeError(`not a JSON value: ${typeof value}`);
  }
  if (value === null) return "null";
  if (Array.isArray(value)) {
    let out = "[";
    for (let i = 0; i < value.length; i++) out += (i > 0 ? "," : "") + write(value[i], depth + 1);
    return out + "]";
  }
  const tag = Object.prototype.toString.call(value);
  if (tag !== "[object Object]") throw new TypeError(`not a JSON value: ${tag.slice(8, -1)}`);
  let out = "{";
  const record = value as Record<string, unknown>;
  for (const key of sorted(Object.keys(record))) {
    const member = record[key];
    if (member === undefined) continue;
    out += (out.length > 1 ? "," : "") + quoted(key) + ":" + write(member, depth + 1);
  }
  return out + "}";
}

/** Up to so many keys, insertion is faster than the runtime's sort. */
const FEW = 16;

/** Sorts keys in their place, by UTF-16 units, as `<` compares. */
function sorted(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] ?? "";
    let at = i;
    for (let before = keys[at - 1]; at > 0 && before !== undefined && key < before; before = keys[at - 1]) {
      keys[at--] = before;
    }
    keys[at] = key;
  }
  return keys;
}

/** The same few keys are written again and again. */
const quotedKeys = new Map<string, string>();
const MAX_KEYS = 1024;
const MAX_KEY = 40;

function quoted(key: string): string {
  const known = quotedKeys.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(key);
  if (key.length <= MAX_KEY && quotedKeys.size < MAX_KEYS) quotedKeys.set(key, text);
  return text;
}

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** SHA-256 of a value's canonical JSON, as 64 hex digits. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value));
}
