import assert from "node:assert/strict";
import { wilson } from "./wilson.ts";

Deno.test("wilson() gives the intervals that Newcombe (1998), table I, has for the score method", () => {
  for (
    const [hits, n, lower, upper] of [
      [81, 263, "0.2553", "0.3662"],
      [15, 148, "0.0624", "0.1605"],
      [0, 20, "0.0000", "0.1611"],
      [1, 29, "0.0061", "0.1718"],
    ] as const
  ) assert.deepEqual(wilson(hits, n)?.map((end) => end.toFixed(4)), [lower, upper], `${hits} of ${n}`);
});

Deno.test("wilson() is the same seen from the other side, and ends at 1 where all passed", () => {
  const [lower = NaN] = wilson(0, 20)?.slice(1) ?? [];
  const ends = wilson(20, 20) ?? [NaN, NaN];
  assert.equal(ends[1], 1);
  assert.equal(ends[0].toFixed(12), (1 - lower).toFixed(12));
});

Deno.test("wilson() has no interval of nothing, and throws for what is no proportion", () => {
  assert.equal(wilson(0, 0), null);
  for (const [hits, n] of [[2, 1], [-1, 3], [0.5, 1], [1, NaN]] as const) {
    assert.throws(() => wilson(hits, n), RangeError);
  }
});
