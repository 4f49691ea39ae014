import { decodeEvent, encodeEvent, EventSplitter } from "./sse.ts";
import assert from "node:assert/strict";

const STREAM =
  'event: a\r\ndata: {"é": "🧭"}\r\n\r\n: comment\n\ndata: one\ndata: two\n\ndata:[DONE]\n\nid: 1\ndata: rest';
const EXPECTED = [
  { event: "a", data: '{"é": "🧭"}' },
  { data: "" },
  { data: "one\ntwo" },
  { data: "[DONE]" },
  { data: "rest" },
];

Deno.test("EventSplitter gives the same events whatever the chunks, and loses no byte", () => {
  const bytes = new TextEncoder().encode(STREAM);
  for (let size = 1; size <= bytes.length; size++) {
    const splitter = new EventSplitter();
    const events: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...splitter.push(bytes.subarray(at, at + size)));
    const rest = splitter.end();
    if (rest !== undefined) events.push(rest);
    assert.deepEqual(events.map(decodeEvent), EXPECTED, `chunks of ${size}`);
    assert.equal(events.map((event) => new TextDecoder().decode(event)).join(""), STREAM);
    assert.equal(splitter.end(), undefined);
  }
});

Deno.test("encodeEvent() writes what decodeEvent() reads", () => {
  for (const event of [{ data: "a\n\nb" }, { event: "x", data: "{}" }, { data: "" }]) {
    assert.deepEqual(decodeEvent(encodeEvent(event)), event);
  }
});
