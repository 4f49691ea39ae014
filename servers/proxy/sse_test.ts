import { messageEvent, SseSplitter, withData } from "./sse.ts";
import assert from "node:assert/strict";

const STREAM =
  'id: 1\nretry: 5\ndata:\n\n: ping\n\nevent: message\nid: 2\ndata: {"a":\ndata: "ü😀"}\n\ndata:{"b":1}\r\n\r\n';

Deno.test("SseSplitter cuts a stream into the same events, wherever it is cut", () => {
  for (let cut = 0; cut <= STREAM.length; cut++) {
    const splitter = new SseSplitter();
    const events = [...splitter.push(STREAM.slice(0, cut)), ...splitter.push(STREAM.slice(cut))];
    assert.equal(events.map(({ raw }) => raw).join("") + splitter.rest, STREAM);
    assert.deepEqual(events.map(({ data }) => data), [undefined, undefined, '{"a":\n"ü😀"}', '{"b":1}'], `at ${cut}`);
  }
});

Deno.test("withData() changes an event's data and leaves its id and its name", () => {
  const [event] = new SseSplitter().push("event: message\nid: 7\ndata: old\n\n");
  assert.equal(withData(event ?? assert.fail(), "new"), "event: message\nid: 7\ndata: new\n\n");
  assert.equal(messageEvent("a\nb"), "event: message\ndata: a\ndata: b\n\n");
});
