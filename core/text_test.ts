import assert from "node:assert/strict";
import { clip, nearest, oneLine, printable } from "./text.ts";

Deno.test("printable shows what a terminal would obey or hide", () => {
  for (
    const [text, shown] of [
      ["\x1b[31mred\x1b]0;title\x07", "\\u{1b}[31mred\\u{1b}]0;title\\u{7}"],
      ["\u009b31m", "\\u{9b}31m"],
      ["a\rb\bc\x7f", "a\\u{d}b\\u{8}c\\u{7f}"],
      ["abc\u202edcba\u2066x\u2069", "abc\\u{202e}dcba\\u{2066}x\\u{2069}"],
      ["ad\u00admin\u200b\ufeff\u2060", "ad\\u{ad}min\\u{200b}\\u{feff}\\u{2060}"],
      ["\u{e0041}\u{e0100}\ufe00", "\\u{e0041}\\u{e0100}\\u{fe00}"],
      ["\u115f\u3164\u034f", "\\u{115f}\\u{3164}\\u{34f}"],
      ["\u2028\u2029\u0085", "\\u{2028}\\u{2029}\\u{85}"],
      ["\ud800x\udc00", "\\u{d800}x\\u{dc00}"],
    ] as const
  ) assert.equal(printable(text), shown);
});

Deno.test("printable leaves text alone: lines, tabs, scripts and emoji", () => {
  for (const text of ["a\tb\nc", "Zürich – €5 …", "日本語 العربية עברית हिन्दी", "🦊❤️", ""]) {
    assert.equal(printable(text), text);
  }
});

Deno.test("oneLine makes one line of many", () => {
  assert.equal(oneLine("a\r\n\r\nb\tc\x1b"), "a b c\\u{1b}");
});

Deno.test("clip cuts to a length, says so, and never through a character", () => {
  assert.equal(clip("abcdef", 6), "abcdef");
  assert.equal(clip("abcdefg", 6), "abcde…");
  assert.equal(clip("ab🦊c", 4), "ab…");
  assert.equal(clip("ab", 1), "…");
  assert.equal(clip("ab", 0), "");
});

Deno.test("nearest finds what was most likely meant", () => {
  const keys = ["assert", "expect", "faults", "servers", "request"];
  for (
    const [word, meant] of [
      ["asert", "assert"],
      ["assret", "assert"],
      ["Assert", "assert"],
      ["fault", "faults"],
      ["reqeusts", "request"],
      ["assert", "assert"],
      ["variants", undefined],
      ["", undefined],
      ["x", undefined],
    ] as const
  ) assert.equal(nearest(word, keys), meant, word);
});

Deno.test("nearest takes the first of equals, and nothing that differs in full", () => {
  assert.equal(nearest("cat", ["bat", "hat"]), "bat");
  assert.equal(nearest("ab", ["xy"]), undefined);
  assert.equal(nearest("a", ["b"]), undefined);
  assert.equal(nearest("anything", []), undefined);
});
