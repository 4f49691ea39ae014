import assert from "node:assert/strict";
import { claimsReply, idInLine, isMessage, parseLine, requestId, soundsLikeReply } from "./reply.ts";

const error = { code: -1, message: "no" };

Deno.test("isMessage() takes what JSON-RPC and MCP allow, and nothing else", () => {
  const good = [
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: "1", result: {} },
    { jsonrpc: "2.0", id: 1, error },
    { jsonrpc: "2.0", id: 1, error: { ...error, data: [1] } },
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", method: "notifications/x", params: {} },
  ];
  const bad: unknown[] = [
    null,
    1,
    "x",
    [],
    {},
    { id: 1, result: {} },
    { jsonrpc: "1.0", id: 1, result: {} },
    { jsonrpc: "2.0", result: {} },
    { jsonrpc: "2.0", id: null, error },
    { jsonrpc: "2.0", id: 1.5, result: {} },
    { jsonrpc: "2.0", id: 1 },
    { jsonrpc: "2.0", id: 1, result: null },
    { jsonrpc: "2.0", id: 1, result: [] },
    { jsonrpc: "2.0", id: 1, result: {}, error },
    { jsonrpc: "2.0", id: 1, result: {}, trace: 1 },
    { jsonrpc: "2.0", id: 1, error: "no" },
    { jsonrpc: "2.0", id: 1, error: { code: "E", message: "no" } },
    { jsonrpc: "2.0", id: 1, error: { code: 1 } },
    { jsonrpc: "2.0", id: 1, method: "x", result: {} },
    { jsonrpc: "2.0", method: "x", params: [] },
  ];
  for (const message of good) assert.ok(isMessage(message), JSON.stringify(message));
  for (const message of bad) assert.ok(!isMessage(message), JSON.stringify(message));
});

Deno.test("claimsReply() takes logs, requests and notifications for what they are", () => {
  assert.ok(claimsReply({ jsonrpc: "2.0", id: 1 }));
  assert.ok(claimsReply({ id: 1, result: {} }));
  assert.ok(claimsReply({ jsonrpc: "2.0", method: "x", id: 1, result: {} }));
  assert.ok(!claimsReply({ level: 30, msg: "listening" }));
  assert.ok(!claimsReply({ level: 50, error: "disk full" }));
  assert.ok(!claimsReply({ id: 1, msg: "request done" }));
  assert.ok(!claimsReply({ jsonrpc: "2.0", method: "notifications/message", params: [] }));
});

Deno.test("soundsLikeReply() takes a banner and a log line for what they are", () => {
  assert.ok(soundsLikeReply('log: {"jsonrpc":"2.0","id":3,"result":{}}'));
  assert.ok(soundsLikeReply('{"id":3,"result":NaN}'));
  assert.ok(!soundsLikeReply("Starting Time MCP server"));
  assert.ok(!soundsLikeReply("{ level: 'info', error: 'x' }"));
});

Deno.test("requestId() takes a number or its digits, and never makes one of anything else", () => {
  assert.equal(requestId(3), 3);
  assert.equal(requestId("3"), 3);
  for (const odd of [null, undefined, true, "", " 3", "3x", 1.5, [3], {}]) assert.equal(requestId(odd), undefined);
});

Deno.test("idInLine() finds the id of the frame itself, not one further in", () => {
  assert.equal(idInLine('log: {"jsonrpc":"2.0","id":3,"result":{"id":5}}'), 3);
  assert.equal(idInLine('log: {"result":{"id":5},"jsonrpc":"2.0","id": "3"}'), 3);
  assert.equal(idInLine('{"result":{"text":"{\\"id\\":7"},"id":3'), 3);
  assert.equal(idInLine('{"result":{"id":5'), undefined);
  assert.equal(idInLine("no braces"), undefined);
});

Deno.test("parseLine() takes messages apart whose newline was lost, and nothing else", () => {
  assert.deepEqual(parseLine('{"a":1}'), [{ a: 1 }]);
  assert.deepEqual(parseLine('{"a":"}{"}{"b":"\\"}{"} {"c":{}}'), [{ a: "}{" }, { b: '"}{' }, { c: {} }]);
  for (const line of ['log: {"a":1}{"b":2}', '{"a":1}{"b":2} done', '{"a":1}{"b":', '{"a":1}}{', "{a}{b}", ""]) {
    assert.equal(parseLine(line), undefined, line);
  }
});

Deno.test("parseLine() and idInLine() take no longer for a hostile line than for another", () => {
  const started = performance.now();
  for (
    const line of [
      "}{".repeat(200_000),
      `{${"}{".repeat(200_000)}}`,
      `{"${"\\".repeat(400_001)}`,
      '"id":"'.repeat(120_000),
    ]
  ) {
    parseLine(line);
    soundsLikeReply(line);
    idInLine(line);
  }
  // Seconds, on the slowest machine; with work that grows with the square of the length, many minutes on the fastest.
  assert.ok(performance.now() - started < 120_000);
});
