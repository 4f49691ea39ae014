import type { ReferenceMention } from "./mentions.ts";
import type { Token } from "./tokens.ts";

/** More parts than this are no identifier. */
const MAX_PARTS = 24;
/** With those that keep a line from breaking. */
const HYPHENS = new Set(["-", "_", "‐", "‑"]);
const POSSESSIVE = /['’]s$/;

/**
 * Reads an identifier: letters and digits joined without spaces, in capitals (`KB-201`, `REF-2290-QD`, `Q3`), a mixed
 * run of at least six (`a1b2c3`), or a version (`1.2.3`). `5-star`, `11am`, `3rd` are none.
 */
export function readReference(tokens: readonly Token[], from: number): ReferenceMention | undefined {
  const first = tokens[from];
  if (first === undefined || first.kind === "symbol") return undefined;
  if (first.kind === "number" && /^\d+\.\d+\./.test(first.text)) {
    return { kind: "reference", from, to: from + 1, key: first.text };
  }
  let to = from + 1;
  for (; to < tokens.length && to - from < MAX_PARTS; to++) {
    const token = tokens[to];
    if (token === undefined || !token.glued) break;
    if (token.kind !== "symbol") continue;
    const next = tokens[to + 1];
    if (!HYPHENS.has(token.text) || next === undefined || !next.glued || next.kind === "symbol") {
      break;
    }
  }
  const parts = tokens.slice(from, to).filter(({ kind }) => kind !== "symbol");
  const words = parts.filter(({ kind }) => kind === "word");
  const numbers = parts.filter(({ kind }) => kind === "number");
  if (words.length === 0 || numbers.length === 0) return undefined;
  const texts = parts.map(({ text }) => text.replace(POSSESSIVE, ""));
  const key = texts.join("").toUpperCase();
  const capitals = first.kind === "word" && texts.every((text) => text === text.toUpperCase());
  const mixed = parts.length >= 3 && key.length >= 6 && to - from === parts.length;
  return capitals || mixed ? { kind: "reference", from, to, key } : undefined;
}
