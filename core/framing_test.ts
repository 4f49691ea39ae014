import assert from "node:assert/strict";
import { type BadLine, encodeLine, JsonLines } from "./framing.ts";
import { ClosedError, memoryPair } from "./pipe.ts";

const ENCODER = new TextEncoder();
const settled = () => new Promise((resolve) => setImmediate(resolve));

Deno.test("encodeLine gives one line, whatever is in the message", () => {
  const line = new TextDecoder().decode(encodeLine({ text: "a\nb\u2028\ud800" }));
  assert.equal(line, '{"text":"a\\nb\u2028\\ud800"}\n');
  for (const value of [undefined, () => {}, Symbol()]) assert.throws(() => encodeLine(value), TypeError);
});

/** A transport whose other end is raw, and a log of all that it says. */
function transport(maxLineBytes?: number) {
  const [here, there] = memoryPair();
  const lines = new JsonLines(here, maxLineBytes);
  const log: unknown[] = [];
  lines.onmessage = (message) => log.push(message);
  lines.onbadline = (bad: BadLine) => log.push(bad);
  lines.onerror = (error) => log.push(error.message);
  lines.onclose = () => log.push("closed");
  return { lines, there, log, send: (text: string) => there.write(ENCODER.encode(text)) };
}

Deno.test("JsonLines reads a reply that is cut at any byte", async () => {
  const reply = { jsonrpc: "2.0", id: 1, result: { text: "€ 🦊 \n é" } };
  const line = encodeLine(reply);
  for (let cut = 0; cut <= line.length; cut++) {
    const { lines, there, log } = transport();
    await lines.start();
    there.write(line.slice(0, cut));
    await settled();
    there.write(line.slice(cut));
    await settled();
    assert.deepEqual(log, [reply]);
  }
});

Deno.test("JsonLines reads past CRLF, blank lines and a byte order mark", async () => {
  const { lines, log, send } = transport();
  await lines.start();
  send('\ufeff{"a":1}\r\n\r\n  \n\n\t{"b":2}  \r\n');
  await settled();
  assert.deepEqual(log, [{ a: 1 }, { b: 2 }]);
});

Deno.test("JsonLines reports lines that are not messages, and goes on", async () => {
  const { lines, log, send } = transport(300);
  await lines.start();
  send(`starting up…\n{"a":1}\r{"a":2}\n{"a":NaN}\n${"x".repeat(301)}\n${"y".repeat(299)}\n{"a":3}\n`);
  await settled();
  assert.deepEqual(log, [
    { why: "not_json", head: "starting up…" },
    { why: "not_json", head: '{"a":1}\r{"a":2}' },
    { why: "not_json", head: '{"a":NaN}' },
    { why: "overlong", head: "" },
    { why: "not_json", head: "y".repeat(200) },
    { a: 3 },
  ]);
});

Deno.test("JsonLines reports a last line without newline before the close", async () => {
  const { lines, there, log, send } = transport();
  await lines.start();
  send('{"a":1}\n{"a":2}');
  await there.close();
  await settled();
  assert.deepEqual(log, [{ a: 1 }, { why: "truncated", head: '{"a":2}' }, "closed"]);
});

Deno.test("JsonLines does not blame the other end for a line that it cut off itself", async () => {
  const { lines, log, send } = transport();
  await lines.start();
  send('{"a":');
  await lines.close();
  await lines.close();
  await settled();
  assert.deepEqual(log, ["closed"]);
});

Deno.test("JsonLines does not lose messages to a handler that throws", async () => {
  const { lines, log, send } = transport();
  lines.onmessage = (message) => {
    log.push(message);
    throw new Error("handler");
  };
  lines.onbadline = () => {
    throw new Error("bad line handler");
  };
  await lines.start();
  send("1\nx\n2\n");
  await settled();
  assert.deepEqual(log, [1, "handler", "bad line handler", 2, "handler"]);
});

Deno.test("JsonLines sends a message as one line, and fails once closed", async () => {
  const { lines, there, log } = transport();
  const sent: string[] = [];
  there.open({ bytes: (chunk) => sent.push(new TextDecoder().decode(chunk)), closed: () => sent.push("closed") });
  await lines.start();
  await lines.send({ a: "\n" });
  await lines.close();
  await assert.rejects(lines.send({}), ClosedError);
  await settled();
  assert.deepEqual(sent, ['{"a":"\\n"}\n', "closed"]);
  assert.deepEqual(log, ["closed", "the connection is closed"]);
});
