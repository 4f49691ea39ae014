import { duration } from "./duration.ts";
import assert from "node:assert/strict";

Deno.test("duration reads numbers as milliseconds, and text with a unit", () => {
  const cases: [number | string, number][] = [[0, 0], [250, 250], ["500ms", 500], ["2s", 2000], ["1.5m", 90_000], [
    "0.5s",
    500,
  ]];
  for (const [input, ms] of cases) assert.equal(duration.parse(input), ms);
});

Deno.test("duration refuses what has no unit, or is no time", () => {
  for (const input of ["5", "2 s", "2h", "-1s", "s", "", -1, NaN, Infinity, null, true]) {
    const result = duration.safeParse(input);
    assert.equal(result.success, false, String(input));
    assert.match(result.error.issues[0]?.message ?? "", /number of milliseconds.*"500ms"/);
  }
});
