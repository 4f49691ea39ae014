import assert from "node:assert/strict";
import { wrap } from "./wrap.ts";

Deno.test("wrap() breaks between words and indents what follows", () => {
  assert.deepEqual(wrap("one two  three\nfour", 12, "- "), ["- one two", "  three four"]);
  assert.deepEqual(wrap("incomprehensibilities are long", 10), ["incomprehensibilities", "are long"]);
  assert.deepEqual(wrap("", 10, "x "), ["x"]);
});

Deno.test("wrap() makes text printable", () => {
  assert.deepEqual(wrap("a\u001b[31mb", 80), ["a\\u{1b}[31mb"]);
});
