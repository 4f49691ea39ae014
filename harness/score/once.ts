/** Readings of a trace that several scorers share: made once for each view, and gone with it. */

/**
 * A pure function of an object, worked out once for each object.
 *
 * @example
 * ```ts
 * import { once } from "./once.ts";
 * import assert from "node:assert/strict";
 *
 * let times = 0;
 * const length = once(({ words }: { readonly words: readonly string[] }) => {
 *   times++;
 *   return words.length;
 * });
 * const view = { words: ["a", "b"] };
 * assert.deepEqual([length(view), length(view), times], [2, 2, 1]);
 * ```
 */
export function once<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before.value;
    const value = read(key);
    known.set(key, { value });
    return value;
  };
}
