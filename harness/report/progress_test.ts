import assert from "node:assert/strict";
import { progressEntry, progressLine } from "./progress.ts";

const none = { pass: 0, fail: 0, error: 0, untestable: 0 };

Deno.test("progressLine() shows how far the run is and all four outcomes", () => {
  assert.equal(
    progressLine(9, 12, { ...none, pass: 8, fail: 1 }, 80),
    "███████████████░░░░░  9/12  8 pass  1 fail  0 error  0 untestable",
  );
});

Deno.test("progressLine() is never wider than the terminal, nor shorter than the one before", () => {
  for (const columns of [20, 40, 80]) {
    let last = 0;
    for (let done = 0; done <= 120; done++) {
      const line = progressLine(done, 120, { ...none, pass: done }, columns);
      assert.ok(line.length <= columns && line.length >= last, line);
      last = line.length;
    }
  }
});

Deno.test("progressLine() of nothing is full", () => {
  assert.match(progressLine(0, 0, none, 80), /^█+ 0\/0 {2}0 pass/);
});

Deno.test("progressEntry() is one harmless line", () => {
  assert.equal(progressEntry(3, 12, { id: "a@sim", outcome: "pass" }, 80), " 3/12  pass  a@sim");
  assert.equal(progressEntry(4, 12, { id: "b\u001b[2J\n@sim", outcome: "fail" }, 80), " 4/12  FAIL  b\\u{1b}[2J @sim");
});
