/**
 * Keeps secrets out of everything that is written.
 */
import { Buffer } from "node:buffer";

/** Shapes of credentials that are never printed, whoever they belong to. */
export const SHAPES: readonly [id: string, shape: RegExp][] = [
  ["api-key", /\bsk-[A-Za-z0-9_-]{16,}/g],
  ["github-token", /\bgh[pousr]_[A-Za-z0-9]{30,}/g],
  ["aws-key", /\bAKIA[0-9A-Z]{16}\b/g],
  ["bearer", /\b[Bb]earer [A-Za-z0-9._~+/-]{16,}=*/g],
];

/** Something that each of these shapes has in it: one look tells that a text has none of them. */
const HINT = /sk-|gh[pousr]_|AKIA|earer /;
/** The shortest text that can have one of them, in UTF-16 units: `sk-` and 16 more. */
const SHORTEST_SHAPE = 19;

/**
 * Replaces secrets by `[secret:<id>]`. Knows each secret as it is, JSON-escaped (up to three times over), URL-encoded,
 * in base64 at any offset, and the shapes of common credentials.
 *
 * @example
 * ```ts
 * import { Redactor } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * const redactor = new Redactor(new Map([["db", "hunter2-hunter2"]]));
 * assert.equal(redactor.text("password hunter2-hunter2!"), "password [secret:db]!");
 * ```
 */
export class Redactor {
  readonly #known: readonly [form: string, marker: string][];
  /** Shorter texts hold nothing that is to be taken out: most keys, and many values. */
  readonly #shortest: number;

  /**
   * Makes a redactor for these secrets.
   *
   * @param secrets Values by id.
   * @throws {RangeError} If a value is shorter than 6 characters: it would black out half the text.
   */
  constructor(secrets: ReadonlyMap<string, string> = new Map()) {
    const known: [string, string][] = [];
    for (const [id, value] of secrets) {
      if (value.length < 6) throw new RangeError(`secret ${id} is shorter than 6 characters`);
      for (const form of formsOf(value)) known.push([form, `[secret:${id}]`]);
    }
    // Longest first: where two begin at the same place, the longer one gives the marker.
    this.#known = known.sort(([a], [b]) => b.length - a.length);
    this.#shortest = Math.min(SHORTEST_SHAPE, ...known.map(([form]) => form.length));
  }

  /** The text without its secrets. Where secrets overlap, all that they cover becomes one marker. */
  text(text: string): string {
    if (text.length < this.#shortest) return text;
    let clean = this.#known.length === 0 ? text : this.#withoutKnown(text);
    if (!HINT.test(clean)) return clean;
    for (const [id, shape] of SHAPES) clean = clean.replace(shape, `[secret:${id}]`);
    return clean;
  }

  /** The number, or a text without the secret that its digits are or have in them. */
  number(value: number): number | string {
    // No shape of a credential is digits alone.
    if (this.#known.length === 0) return value;
    const digits = String(value);
    const clean = this.text(digits);
    return clean === digits ? value : clean;
  }

  /**
   * The JSON value without its secrets, in strings, in keys and in numbers; the same object if there was none.
   *
   * @param json The value's JSON, if the caller has it: without a secret in it nothing is looked at further.
   */
  value<T>(value: T, json: string = JSON.stringify(value) ?? ""): T {
    return this.text(json) === json ? value : this.#walk(value) as T;
  }

  #walk(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.number(value);
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.text(key), this.#walk(member)]));
  }

  #withoutKnown(text: string): string {
    const found: { start: number; end: number; marker: string }[] = [];
    for (const [form, marker] of this.#known) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
        found.push({ start: at, end: at + form.length, marker });
      }
    }
    if (found.length === 0) return text;
    found.sort((a, b) => a.start - b.start || b.end - a.end);
    let out = "";
    let done = 0;
    for (const { start, end, marker } of found) {
      if (start >= done) out += text.slice(done, start) + marker;
      done = Math.max(done, end);
    }
    return out + text.slice(done);
  }
}

/** The ways in which a secret is written. */
function formsOf(value: string): Set<string> {
  const forms = new Set([value]);
  for (let i = 0, escaped = value; i < 3; i++) forms.add(escaped = JSON.stringify(escaped).slice(1, -1));
  const url = encodeURIComponent(value.toWellFormed());
  forms.add(url).add(url.replaceAll("%20", "+"));
  forms.add(url.replace(/%../g, (code) => code.toLowerCase()));
  for (let offset = 0; offset < 3; offset++) {
    // Of what precedes and follows, the secret shares its first and last base64 digit: those are left out.
    const bytes = Buffer.concat([new Uint8Array(offset), Buffer.from(value)]);
    const [first, end] = [Math.ceil(offset * 8 / 6), Math.floor(bytes.length * 8 / 6)];
    forms.add(bytes.toString("base64").slice(first, end)).add(bytes.toString("base64url").slice(first, end));
  }
  return forms;
}
