/**
 * Seeded random numbers: the same seed gives the same numbers on every machine.
 *
 * sfc32 (Chris Doty-Humphrey, PractRand), seeded by hashing the seed's UTF-16 units with FNV-1a four times over.
 *
 * @example
 * ```ts
 * import { Random } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(new Random("a").next(), new Random("a").next());
 * assert.notEqual(new Random("a").next(), new Random("b").next());
 * ```
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  /**
   * Makes a sequence of its own.
   *
   * @param seed Any text.
   */
  constructor(seed: string) {
    this.#a = fnv1a(seed, 0x811c9dc5);
    this.#b = fnv1a(seed, this.#a ^ 0x9e3779b9);
    this.#c = fnv1a(seed, this.#b ^ 0x85ebca6b);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** A number in [0, 1). */
  next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return (t >>> 0) / 0x1_0000_0000;
  }

  /**
   * A whole number in [0, n).
   *
   * @throws {RangeError} If `n` is not a whole number from 1 to 2^32.
   */
  int(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 0x1_0000_0000) throw new RangeError(`no whole number lies in [0, ${n})`);
    return Math.floor(this.next() * n);
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.int(i + 1);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  }
}

function fnv1a(text: string, basis: number): number {
  let hash = basis | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
