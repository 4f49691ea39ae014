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

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`nested deeper than ${MAX_DEPTH} levels, or a cycle`);
  if (typeof value !== "object" || value === null) return scalar(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    let out = "[" + write(value[0], depth + 1);
    for (let i = 1; i < value.length; i++) out += "," + write(value[i], depth + 1);
    return out + "]";
  }
  const record = plain(value);
  let out = "";
  for (const key of sorted(Object.keys(record))) {
    const member = record[key];
    if (member === undefined) continue;
    out += (out === "" ? "{" : ",") + keyed(key) + write(member, depth + 1);
  }
  return out === "" ? "{}" : out + "}";
}

/** Most levels of a value. */
export const MAX_DEPTH = 200;

/** Writes what has no members. */
export function scalar(value: unknown): string {
  // Most are texts and numbers.
  if (typeof value === "string") return value.length > SHORT ? JSON.stringify(value) : quoted(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`);
    return "" + value; // as JSON has it: ECMA-262 gives both by Number::toString, and 0 for -0
  }
  if (typeof value === "boolean") return value ? "true" : "false";
  if (value === undefined || value === null) return "null";
  throw new TypeError(`not a JSON value: ${typeof value}`);
}

/** An object that is nothing but its members. */
export function plain(value: object): Record<string, unknown> {
  const tag = Object.prototype.toString.call(value);
  if (tag !== "[object Object]") throw new TypeError(`not a JSON value: ${tag.slice(8, -1)}`);
  return value as Record<string, unknown>;
}

/** Up to so many keys, insertion is faster than the runtime's sort. */
const FEW = 16;

/** Sorts keys in their place, by UTF-16 units, as `<` compares. */
export function sorted(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  let last = keys[0] ?? "";
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] ?? "";
    if (last < key) {
      last = key;
      continue;
    }
    let at = i;
    for (let before = last; at > 0 && key < before; before = keys[at - 1] ?? "") keys[at--] = before;
    keys[at] = key;
  }
  return keys;
}

/** The same few keys are written again and again. */
const knownKeys = new Map<string, string>();
const MAX_KEYS = 1024;
const MAX_KEY = 40;

/** A key with its colon. */
export function keyed(key: string): string {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (key.length <= MAX_KEY && knownKeys.size < MAX_KEYS) knownKeys.set(key, text);
  return text;
}

/** Longest text that is remembered: ids, names and spans are written again and again, too. In UTF-16 units. */
const SHORT = 32;
/** How many are; then all are forgotten. */
const MAX_TEXTS = 4096;
const knownTexts = new Map<string, string>();

function quoted(text: string): string {
  const known = knownTexts.get(text);
  if (known !== undefined) return known;
  const written = JSON.stringify(text);
  // Few need an escape. What is kept is cut from what was written: the text itself may hold on to a larger one.
  if (written.length === text.length + 2) {
    if (knownTexts.size >= MAX_TEXTS) knownTexts.clear();
    knownTexts.set(written.slice(1, -1), written);
  }
  return written;
}

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** SHA-256 of a value's canonical JSON, as 64 hex digits. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value));
}
