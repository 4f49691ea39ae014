/** Names of tools: what they look like, and a form of them that every provider takes. */
import { sha256 } from "../../core/mod.ts";

/** What a name looks like: without case, separators, widths, and what cannot be seen. */
export function normalName(name: string): string {
  const normal = name.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  // Nothing but signs: those are the name.
  return normal === "" ? name : normal;
}

/** The most characters that every provider takes. */
const MAX_SAFE = 64;
const HASH = 32;

/**
 * A tool's name for providers that take only letters, digits, `_` and `-`, and no more than 64 of them. Different names
 * always have different safe ones: what cannot stay is written as an escape that begins with `-`, and a name that
 * becomes too long ends in a hash of all of it.
 *
 * @example
 * ```ts
 * import { fromSafeName, safeName } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(safeName("orders.find_order"), "orders--find_order");
 * assert.equal(fromSafeName("orders--find_order", ["kb.find", "orders.find_order"]), "orders.find_order");
 * assert.equal(fromSafeName("orders--drop", ["kb.find", "orders.find_order"]), undefined);
 * ```
 */
export function safeName(name: string): string {
  const parts = Array.from(name, escaped);
  const whole = parts.join("");
  if (whole.length <= MAX_SAFE && whole !== "") return whole;
  const end = `-h${sha256(whole).slice(0, HASH)}`;
  let head = "";
  // Never in the middle of an escape, so that `-h` cannot be read as part of one.
  for (const part of parts) {
    if (head.length + part.length > MAX_SAFE - end.length) break;
    head += part;
  }
  return head + end;
}

/**
 * The one of these names whose safe form it is, or `undefined`: a model can say what it likes, and reaches only what
 * there is.
 *
 * @param safe Untrusted.
 * @param names The names that there are.
 */
export function fromSafeName(safe: string, names: Iterable<string>): string | undefined {
  for (const name of names) if (safeName(name) === safe) return name;
  return undefined;
}

function escaped(char: string): string {
  if (/^[A-Za-z0-9_]$/.test(char)) return char;
  if (char === ".") return "--";
  if (char === "-") return "-_";
  return `-x${char.codePointAt(0)?.toString(16)}-`;
}
