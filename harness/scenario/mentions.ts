/** Looks for words in values. */
import type { Json } from "../../core/mod.ts";

/** How often a text occurs in the texts of a value, keys included. */
export function mentions(value: Json, word: string): number {
  if (typeof value === "string") return value.split(word).length - 1;
  if (typeof value !== "object" || value === null) return 0;
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  return parts.reduce<number>((sum, part) => sum + mentions(part, word), 0);
}
