import assert from "node:assert/strict";
import { LineSplitter } from "./line_splitter.ts";

const ENCODER = new TextEncoder();

/** A splitter and what it finds. */
function splitter(maxBytes?: number): { splitter: LineSplitter; found: string[] } {
  const found: string[] = [];
  const sink = {
    line: (text: string, bytes: number) => void found.push(`${text} (${bytes})`),
    overlong: (maxBytes: number) => void found.push(`overlong ${maxBytes}`),
    truncated: (text: string, bytes: number) => void found.push(`truncated ${text} (${bytes})`),
  };
  return { splitter: new LineSplitter(sink, maxBytes), found };
}

/** What is found in these chunks. */
function split(chunks: Iterable<string | Uint8Array>, maxBytes?: number): string[] {
  const { splitter: lines, found } = splitter(maxBytes);
  for (const chunk of chunks) lines.push(typeof chunk === "string" ? ENCODER.encode(chunk) : chunk);
  lines.end();
  return found;
}

Deno.test("LineSplitter gives the same lines wherever they are cut, within characters too", () => {
  const text = ENCODER.encode("a\né\n€uro\n🦊\n\nzß水🦊\n");
  const whole = split([text]);
  assert.deepEqual(whole, ["a (1)", "é (2)", "€uro (6)", "🦊 (4)", " (0)", "zß水🦊 (10)"]);
  for (let i = 0; i <= text.length; i++) {
    for (let j = i; j <= text.length; j++) {
      assert.deepEqual(split([text.slice(0, i), text.slice(i, j), text.slice(j)]), whole);
    }
  }
  assert.deepEqual(split([...text].map((byte) => new Uint8Array([byte]))), whole);
});

Deno.test("LineSplitter takes 1,000 lines from one chunk", () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i}`);
  assert.deepEqual(split([lines.join("\n") + "\n"]), lines.map((line) => `${line} (${line.length})`));
});

Deno.test("LineSplitter ends lines at a newline only, and keeps a carriage return", () => {
  assert.deepEqual(split(["a\r\nb\rc\u2028d\n"]), ["a\r (2)", "b\rc\u2028d (7)"]);
});

Deno.test("LineSplitter accepts a line of exactly the cap, and refuses one byte more", () => {
  for (const cut of [0, 1, 3, 4, 5]) {
    const cutAt = (text: string) => [text.slice(0, cut), text.slice(cut)];
    assert.deepEqual(split(cutAt("1234\nok\n"), 4), ["1234 (4)", "ok (2)"]);
    assert.deepEqual(split(cutAt("12345\nok\n"), 4), ["overlong 4", "ok (2)"]);
  }
  assert.deepEqual(split(["éé\n", "ééx\n"], 4), ["éé (4)", "overlong 4"], "the cap counts bytes");
});

Deno.test("LineSplitter refuses a line of 50 MB without holding it, and goes on with the next", () => {
  const { splitter: lines, found } = splitter(1_000_000);
  const chunk = new Uint8Array(64 * 1024).fill(120);
  let most = 0;
  for (let sent = 0; sent < 50_000_000; sent += chunk.length) {
    lines.push(chunk);
    most = Math.max(most, lines.pendingBytes);
  }
  assert(most <= 1_000_000, `${most} bytes held`);
  assert.equal(lines.pendingBytes, 0);
  lines.push(ENCODER.encode("tail\nnext\n"));
  assert.deepEqual(found, ["overlong 1000000", "next (4)"]);
});

Deno.test("LineSplitter reports what has no newline at the end, and nothing otherwise", () => {
  assert.deepEqual(split(["a\n", "{half"]), ["a (1)", "truncated {half (5)"]);
  assert.deepEqual(split(["a\n"]), ["a (1)"]);
  assert.deepEqual(split([]), []);
  assert.deepEqual(split(["12345"], 4), ["overlong 4"], "an overlong line is reported once");
});

Deno.test("LineSplitter turns bytes that are not UTF-8 into U+FFFD", () => {
  assert.deepEqual(split([new Uint8Array([97, 255, 98, 10])]), ["a\ufffdb (3)"]);
});
