import assert from "node:assert/strict";
import { draw, fit, flow, pad, width, wrap, wrapUpTo } from "./layout.ts";

Deno.test("width() counts wide characters twice and combining marks once", () => {
  assert.equal(width("abc"), 3);
  assert.equal(width("日本"), 4);
  assert.equal(width("🔥"), 2);
  assert.equal(width("e\u0301"), 2);
});

Deno.test("fit() cuts to cells, marks the cut, and never cuts through a character", () => {
  assert.equal(fit("abcdef", 6), "abcdef");
  assert.equal(fit("abcdef", 4), "abc…");
  assert.equal(fit("日本語", 4), "日…");
  assert.equal(fit("🔥🔥", 3), "🔥…");
  assert.equal(fit("abc", 0), "");
});

Deno.test("fit() makes escapes, bidirectional controls and newlines harmless", () => {
  assert.equal(fit("\u001b[31mred\u202e\nx", 80), "\\u{1b}[31mred\\u{202e} x");
});

Deno.test("fit() looks at no more of a huge text than it shows", () => {
  const huge = "x".repeat(1 << 20);
  assert.equal(fit(huge, 10), "xxxxxxxxx…");
  assert.equal(fit("\n".repeat(1 << 20) + "x", 10).length <= 10, true);
});

Deno.test("pad() fills to exactly the size, on either side", () => {
  assert.equal(pad("日", 4), "日  ");
  assert.equal(pad("12", 4, "right"), "  12");
  assert.equal(pad("12345", 4, "right"), "123…");
});

Deno.test("wrap() breaks between words, and through a word that is too wide", () => {
  assert.deepEqual(wrap("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrap("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
  assert.deepEqual(wrap("", 7), []);
  assert.ok(wrap("日".repeat(50), 7).every((line) => width(line) <= 7));
});

Deno.test("flow() breaks no part that fits on a line of its own", () => {
  assert.deepEqual(flow(["a b", "c d", "e"], "   ", 9), ["a b   c d", "e"]);
  assert.deepEqual(flow(["too wide", "b"], " ", 4), ["too", "wide", "b"]);
});

Deno.test("draw() writes no escape byte without colour, and resets every colour with it", () => {
  const line = ["a ", ["FAIL", "fail"], " b"] as const;
  assert.equal(draw(line, { columns: 80, colour: false }), "a FAIL b");
  assert.equal(draw(line, { columns: 80, colour: true }), "a \x1b[31mFAIL\x1b[0m b");
  assert.equal(draw(line, { columns: 4, colour: false }), "a F…");
});

Deno.test("wrapUpTo() says where it cuts, and nothing where it does not", () => {
  assert.deepEqual(wrapUpTo(2, "aaa bbb", 3), ["aaa", "bbb"]);
  assert.deepEqual(wrapUpTo(2, "aaa bbb c", 3), ["aaa", "bb…"]);
  assert.deepEqual(wrapUpTo(2, "aaa b ccc", 3), ["aaa", "b …"]);
});
