import { Random } from "../core/mod.ts";
import { RawLines } from "./raw_lines.ts";
import assert from "node:assert/strict";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const encode = (text: string) => new TextEncoder().encode(text);

function collect(chunks: readonly Uint8Array[], maxBytes?: number): [kind: string, text: string][] {
  const found: [string, string][] = [];
  const lines = new RawLines({
    line: (bytes) => found.push(["line", decode(bytes)]),
    rest: (bytes) => found.push(["rest", decode(bytes)]),
  }, maxBytes);
  for (const chunk of chunks) lines.push(chunk);
  lines.end();
  return found;
}

Deno.test("RawLines finds the same lines however the bytes are cut", () => {
  const text = 'one\n\n{"two":"ü€😀"}\r\nthree\n';
  const whole = collect([encode(text)]);
  assert.deepEqual(whole, [["line", "one\n"], ["line", "\n"], ["line", '{"two":"ü€😀"}\r\n'], ["line", "three\n"]]);
  const random = new Random("cuts");
  for (let round = 0; round < 50; round++) {
    const bytes = encode(text);
    const chunks: Uint8Array[] = [];
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + 1 + random.int(6));
      chunks.push(bytes.subarray(from, to));
      from = to;
    }
    assert.deepEqual(collect(chunks), whole);
  }
});

Deno.test("RawLines hands out a last line without newline as rest", () => {
  assert.deepEqual(collect([encode("a\nhalf")]), [["line", "a\n"], ["rest", "half"]]);
});

Deno.test("RawLines passes a line over the cap on as rest, and goes on with the next", () => {
  const found = collect([encode("12345"), encode("6789"), encode("0\nok\n")], 8);
  assert.deepEqual(found, [["rest", "12345"], ["rest", "6789"], ["rest", "0\n"], ["line", "ok\n"]]);
});

Deno.test("RawLines does not change bytes that are not UTF-8", () => {
  const odd = Uint8Array.of(0xff, 0xfe, 0x00, 0x0a);
  const found: Uint8Array[] = [];
  new RawLines({ line: (bytes) => found.push(bytes), rest: () => {} }).push(odd);
  assert.deepEqual(found, [odd]);
});
