import assert from "node:assert/strict";
import { readCall } from "./call.ts";
import type { LogCallRow } from "./format.ts";

const kindOf = (result: unknown, name = "web.search", more: Partial<LogCallRow> = {}) =>
  readCall({ name, args: { q: "Paris" }, result, ...more }, 0, undefined).failure?.kind;

/** Results that are failures, with how it shows. */
const FAILED: readonly [result: unknown, kind: string, name?: string][] = [
  [{ content: [{ type: "text", text: "no" }], isError: true }, "flag"],
  ['{"error": "db down"}', "in_band"],
  ["<html><title>502 Bad Gateway</title></html>", "in_band"],
  ["Tool call timed out.", "in_band"],
  ["Error: connect ECONNREFUSED 127.0.0.1:80", "in_band"],
  ["Error: page.goto: net::ERR_NAME_NOT_RESOLVED", "in_band"],
  ["Error executing tool search: boom", "in_band"],
  ["MCP error -32602: bad", "in_band"],
  ["ValueError: x", "in_band"],
  ["Failed to fetch https://a.example - status code 404", "in_band"],
  ["Rate limit exceeded", "in_band"],
  ["429 Too Many Requests", "in_band"],
  ["Input validation error: 'a' is a required property", "in_band"],
  ["Unknown tool: serch", "in_band"],
  ["### Error\nError: request failed", "in_band"],
  ["Process ended.\nTraceback (most recent call last):\n  File 1\nKeyError: 'a'", "in_band", "py.run_code"],
  ['{"exit_code": 1, "stdout": "", "stderr": "no such file"}', "in_band", "sh.run"],
  ["Error: ENOENT: no such file or directory, open '/a.txt'", "in_band", "fs.read_file"],
  ["# /a/b\n\nLoading...\n", "hollow"],
  ["Just a moment...", "hollow"],
  ["Example\nPlease enable JavaScript to continue.", "hollow"],
  ["", "empty"],
  [" \n", "empty"],
  ["No results found for Paris.", "nothing"],
  ["null", "nothing"],
  ['{"items": [], "total": 0}', "nothing"],
  ['{"message": "Not Found", "documentation_url": "https://docs.example"}', "in_band"],
  ['{"cod": "401", "message": "Invalid API key."}', "in_band"],
  ['{"status": "REQUEST_DENIED", "routes": []}', "in_band"],
  ['{"detail": "Not authenticated"}', "in_band"],
  ['{"code": -1, "msg": "系统繁忙"}', "in_band"],
  ["{'error': 'no such city'}", "in_band"],
  ["Contents of https://a.example/x:\nJust a moment...", "hollow"],
  ["<!DOCTYPE html><html><title>Just a moment...</title></html>", "hollow"],
  ["Tool get_x not found", "in_band"],
  ["Something went wrong, try again.", "in_band"],
  ["Your session has expired.", "in_band"],
  ["请求失败，请稍后再试", "in_band"],
  ["read ECONNRESET", "in_band"],
  ["The file notes.txt does not exist.", "in_band", "fs.read_file"],
  ["[]", "nothing"],
  ['{"results": []}', "nothing"],
  ...[
    "FAILED: card declined",
    "failed",
    "❌ failed",
    "Payment declined",
    "declined",
    "Payment was not processed.",
    "Payment was not processed. Please try again.",
    "No payment was made.",
    "Card expired; no charge was made",
    "I am sorry, I cannot do that",
    "Command exited with non-zero status 1",
    "Le paiement a échoué",
    "false",
    "403",
  ].map((text): [string, string, string] => [text, "in_band", "pay"]),
  [false, "in_band", "pay"],
  ["Message was not sent.", "in_band", "send_email"],
  ["Command exited with code 2", "in_band", "sh.run"],
];

/** Results that are data. */
const ANSWERED: readonly [result: unknown, name?: string][] = [
  ["Error: the film, a review"],
  ["Error handling in Go, in three parts"],
  ["The error was found in 1987."],
  ["Error: connection refused\nError: disk full\n", "fs.read_file"],
  ["Traceback (most recent call last):\nKeyError: 1", "fs.read_text_file"],
  [`Error: timeout. ${"A long document about it. ".repeat(50)}`],
  ["Loading docks are closed on Sunday."],
  ["Successfully wrote to /a.txt", "fs.write_file"],
  ["", "fs.write_file"],
  ["[]", "fs.delete_file"],
  ['{"exit_code": 0, "stderr": "a warning"}', "sh.run"],
  ['[{"error": "db down"}]'],
  [0],
  [{ rows: [], total: 7 }],
  ["452.10"],
  ['{"count": 0}'],
  ['{"valid": false, "errors": ["line 1: a quote is missing"]}', "json.validate"],
  ['{"status": "active", "name": "Denied", "code": 7}'],
  ["1. Unable to sleep? Ten tips\n2. Access denied: a film"],
  ["Can't wait to come back!"],
  ["declined", "get_payment_status"],
  ["Coupon declined, order placed", "place_order"],
  ["Order placed. The receipt was not sent.", "place_order"],
  ["failed: 3, passed: 7", "run_tests"],
  ["403", "add"],
  ["false", "set_flag"],
  ["Command exited with code 0", "sh.run"],
  ["Paris was not built in a day", "update_note"],
];

Deno.test("a call has failed if its result says so by its shape, or is nothing but an error", () => {
  for (const [result, kind, name] of FAILED) assert.equal(kindOf(result, name), kind, JSON.stringify(result));
});

Deno.test("a result is data, whatever words it begins with", () => {
  for (const [result, name] of ANSWERED) assert.equal(kindOf(result, name), undefined, JSON.stringify(result));
});

Deno.test("an act that was to set something to a word of failure has not failed by saying so", () => {
  const of = (status: string) =>
    readCall({ name: "update_order", args: { status }, result: "Order rejected" }, 0, undefined).failure?.kind;
  assert.deepEqual([of("rejected"), of("paid")], [undefined, "in_band"]);
});

Deno.test("a call has failed if the log flags it, by any of the flags", () => {
  for (const flag of ["error", "isError", "is_error", "protocol_error"] as const) {
    assert.equal(kindOf("fine", undefined, { [flag]: true }), "flag");
    for (const off of [false, null, "", "none", {}, 0]) {
      assert.equal(kindOf("fine", undefined, { [flag]: off }), undefined);
    }
  }
  assert.equal(kindOf("fine", undefined, { inband_error: true }), "in_band");
  assert.equal(readCall({ name: "a", error: { message: "db\ndown" } }, 0, undefined).failure?.says, "db down");
});

Deno.test("of a call without a result nothing is known", () => {
  assert.equal(kindOf(undefined), undefined);
  assert.equal(kindOf(null), undefined);
  assert.equal(readCall({ name: "a" }, 0, "Tool call timed out.").failure?.kind, "in_band");
});
