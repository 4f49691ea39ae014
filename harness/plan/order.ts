/** The order that a plan's dependencies demand. */

/** A node as far as its order goes. */
export interface Ordered {
  /** Its id. */
  readonly id: string;
  /** Ids of what comes before it. */
  readonly dependsOn: readonly string[];
}

/**
 * Places of the nodes so that each comes after those it depends on (Kahn 1962); `undefined` if they go round in a circle.
 * Of an id that is there twice the first counts, and a dependency on nothing is none: the gates tell of both.
 */
export function topological(nodes: readonly Ordered[]): Order | undefined {
  const known = orders.get(nodes);
  if (known !== undefined) return known.order;
  const order = sorted(nodes);
  orders.set(nodes, { order });
  return order;
}

/** Places in order, and for each the places before it. */
interface Order {
  readonly order: readonly number[];
  readonly before: readonly (readonly number[])[];
}

/** Every component of a plan's score asks for the order of the same nodes. */
const orders = new WeakMap<readonly Ordered[], { readonly order: Order | undefined }>();

function sorted(nodes: readonly Ordered[]): Order | undefined {
  const placeOf = new Map<string, number>();
  for (const [place, { id }] of nodes.entries()) if (!placeOf.has(id)) placeOf.set(id, place);
  const before = nodes.map(({ dependsOn }): readonly number[] =>
    dependsOn.length === 0 ? [] : [...new Set(dependsOn)].flatMap((id) => placeOf.get(id) ?? [])
  );
  const after = nodes.map((): number[] => []);
  for (const [place, list] of before.entries()) for (const other of list) after[other]?.push(place);
  const waits = before.map((list) => list.length);
  const order = [...waits.keys()].filter((place) => waits[place] === 0);
  // The list grows while it is gone through.
  for (const place of order) {
    for (const next of after[place] ?? []) {
      const left = (waits[next] ?? 0) - 1;
      waits[next] = left;
      if (left === 0) order.push(next);
    }
  }
  return order.length === nodes.length ? { order, before } : undefined;
}

/** Which node has to wait for which, directly or through others: the transitive closure, one bit a pair. */
export class Closure {
  readonly #bits: Uint32Array;
  readonly #row: number;
  /** How many pairs there are. */
  readonly size: number;

  private constructor(bits: Uint32Array, row: number) {
    this.#bits = bits;
    this.#row = row;
    this.size = bits.reduce((sum, word) => sum + ones(word), 0);
  }

  /** Builds it, in edges × nodes / 32 steps; `undefined` if the nodes go round in a circle. */
  static of(nodes: readonly Ordered[]): Closure | undefined {
    const known = closures.get(nodes);
    if (known !== undefined) return known;
    const sorted = topological(nodes);
    if (sorted === undefined) return undefined;
    const row = Math.ceil(nodes.length / 32);
    const bits = new Uint32Array(row * nodes.length);
    for (const place of sorted.order) {
      for (const other of sorted.before[place] ?? []) {
        for (let i = 0; i < row; i++) set(bits, place * row + i, bits[other * row + i] ?? 0);
        set(bits, place * row + (other >>> 5), 1 << (other & 31));
      }
    }
    const closure = new Closure(bits, row);
    closures.set(nodes, closure);
    return closure;
  }

  /** Whether the node at one place has to be done before the one at another. */
  has(before: number, after: number): boolean {
    return ((this.#bits[after * this.#row + (before >>> 5)] ?? 0) >>> (before & 31) & 1) === 1;
  }

  /** Whether one of the two has to wait for the other. */
  orders(a: number, b: number): boolean {
    return this.has(a, b) || this.has(b, a);
  }
}

/** As `orders`. */
const closures = new WeakMap<readonly Ordered[], Closure>();

function set(bits: Uint32Array, at: number, mask: number): void {
  bits[at] = (bits[at] ?? 0) | mask;
}

/** How many bits are set. */
function ones(word: number): number {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count++;
  return count;
}
