import assert from "node:assert/strict";
import { Random } from "./random.ts";

Deno.test("Random gives the same numbers for the same seed, for ever", () => {
  const random = new Random("brownout");
  const numbers = Array.from({ length: 4 }, () => random.int(1_000_000));
  // Pinned: if these change, every seeded scenario changes.
  assert.deepEqual(numbers, [836058, 649473, 554942, 306642]);
});

Deno.test("Random gives different numbers for seeds that are alike", () => {
  const firsts = new Set<number>();
  for (let i = 0; i < 10_000; i++) firsts.add(new Random(`seed:${i}`).int(2 ** 32));
  // A birthday collision among 10,000 of 2^32 is expected once in 86 such sets.
  assert(firsts.size >= 9_999, `${firsts.size}`);
  for (const [a, b] of [["", "a"], ["a", "A"], ["ab", "ba"], ["\u0100", "\u0000"], ["aa", "aaa"]] as const) {
    assert.notEqual(new Random(a).next(), new Random(b).next());
  }
});

Deno.test("Random.next is spread evenly over [0, 1)", () => {
  const random = new Random("even");
  const bins = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i++) {
    const x = random.next();
    assert(x >= 0 && x < 1);
    const bin = Math.floor(x * 10);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  // 10,000 each; five standard deviations are 475.
  for (const count of bins) assert(Math.abs(count - 10_000) < 475, `${bins}`);
});

Deno.test("Random.int gives each whole number below n", () => {
  const random = new Random("int");
  const seen = new Set(Array.from({ length: 200 }, () => random.int(6)));
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4, 5]);
  assert.equal(random.int(1), 0);
  for (const n of [0, -1, 1.5, NaN, Infinity, 2 ** 33]) assert.throws(() => random.int(n), RangeError);
});

Deno.test("Random.shuffle gives a copy with the same items, in every order", () => {
  const items = ["a", "b", undefined];
  const random = new Random("shuffle");
  const orders = new Map<string, number>();
  for (let i = 0; i < 6_000; i++) {
    const order = String(random.shuffle(items).map(String));
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  assert.deepEqual(items, ["a", "b", undefined]);
  assert.equal(orders.size, 6);
  // 1,000 each; five standard deviations are 144.
  for (const count of orders.values()) assert(Math.abs(count - 1_000) < 144, `${[...orders]}`);
  assert.deepEqual(random.shuffle([]), []);
});
