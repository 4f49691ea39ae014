import assert from "node:assert/strict";
import { inBandError } from "./in_band.ts";

/** Results that are errors, with what they say. */
const ERRORS: readonly [result: unknown, says: string][] = [
  [{ error: "db down" }, "db down"],
  [{ error: { message: "db down", code: 7 } }, "db down"],
  [{ error: { code: 7 } }, '{"code":7}'],
  [{ error: true, message: "db down" }, "the result says it is an error"],
  [{ error: "db down", data: [1, 2] }, "db down"],
  [{ errors: ["first", "second"] }, "first"],
  [{ errors: [{ message: "first" }], data: null }, "first"],
  [{ errors: [{ path: "x" }] }, '{"path":"x"}'],
  [{ success: false }, "the result says it failed"],
  [{ success: false, message: "no such order" }, "no such order"],
  [{ ok: false, detail: "no such order" }, "no such order"],
  [{ isError: true, content: [{ type: "text", text: "boom" }] }, "boom"],
  [{ isError: true }, "the nested result is an error"],
  [{ status: 503, message: "try later" }, "503: try later"],
  [{ statusCode: 404, message: "Not Found" }, "404: Not Found"],
  [{ status_code: 500, detail: "oops" }, "500: oops"],
  [{ statusCode: 500, body: JSON.stringify({ message: "oops" }) }, "500: oops"],
  [{ statusCode: 502, headers: {}, body: "Bad Gateway" }, "502: Bad Gateway"],
  [{ status: "error", message: "db down" }, "db down"],
  [{ status: "error", message: "db down", code: 9, data: null }, "db down"],
  [{ result: { error: "db down" } }, "db down"],
  [{ result: { result: { success: false } } }, "the result says it failed"],
  [{ result: { isError: true, content: "boom" } }, "boom"],
  ["\ufeff\n  " + JSON.stringify({ error: "db down" }) + "\n", "db down"],
  ["<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>", "502 Bad Gateway"],
  ["<html>\n<head>\n<title>\n503 Service Temporarily Unavailable\n</title>", "503 Service Temporarily Unavailable"],
  ["<!doctype html><title lang=en>Error</title><pre>Cannot GET /x</pre>", "Error"],
  ["<html><title>Page not found · GitHub</title>", "Page not found · GitHub"],
  ["<html><title>Acme | Error 500: Internal Server Error</title>", "Acme | Error 500: Internal Server Error"],
  ["<html><title>HTTP Status 404</title>", "HTTP Status 404"],
];

/** Results that are data, whatever words are in them. */
const DATA: readonly unknown[] = [
  "",
  "Error: the film, a review",
  "ERROR 404 is a song",
  "error: none so far\nwarning: none",
  "Failed to deliver: this is the title of the article",
  "No results found",
  '{"error": "cut',
  "{error: not JSON}",
  [],
  {},
  null,
  false,
  404,
  "not found",
  [{ error: "db down" }],
  [{ success: false }, { success: true }],
  { error: null },
  { error: "" },
  { error: " " },
  { error: false },
  { error: {} },
  { error: 0.03, mean: 1.2 },
  { errors: [] },
  { errors: 0 },
  { success: true, message: "Error: this is the text of a ticket" },
  { ok: true, error: null },
  { isError: false, content: [] },
  { status: 200, message: "fine" },
  { status: 503 },
  { statusCode: 500, body: "" },
  { statusCode: 200, body: JSON.stringify({ message: "fine" }) },
  { status: 4040, message: "an order's number" },
  { status: "503", message: "a text" },
  { status: "error", message: "card declined", order_id: "12345" },
  { status: "failed", order_id: "12345" },
  { code: 404, message: "a room's number" },
  { items: [{ error: "db down" }] },
  { data: { error: "the name of a column" } },
  { result: [{ error: "x" }] },
  { result: { result: { result: { result: { error: "too deep to be meant" } } } } },
  { message: "error" },
  "<p>502 Bad Gateway</p>",
  "<html><title>How to fix a 502 Bad Gateway error</title>",
  "<html><title>Error handling in Go</title>",
  "<html><title>500 days of summer</title>",
  "<html><title>Forbidden Planet</title>",
  "<html><body>no title</body>",
  "<html><title></title>",
];

const asText = (result: unknown) => typeof result === "string" ? result : JSON.stringify(result);

Deno.test("inBandError() recognises an error by its shape", () => {
  for (const [result, says] of ERRORS) assert.equal(inBandError(asText(result)), says, asText(result));
});

Deno.test("inBandError() takes data for data, whatever words it begins with", () => {
  for (const result of DATA) assert.equal(inBandError(asText(result)), undefined, asText(result));
});

Deno.test("inBandError() reads structured content where the text says nothing", () => {
  assert.equal(inBandError("see the structured content", { success: false }), "the result says it failed");
  assert.equal(inBandError("fine", { success: true }), undefined);
  assert.equal(inBandError("fine", ["error"]), undefined);
});

Deno.test("inBandError() survives what is nested deeper than the stack", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  assert.equal(inBandError(`{"error":${deep}}`), "the result holds an error");
  const objects = '{"message":'.repeat(50_000) + "1" + "}".repeat(50_000);
  assert.equal(inBandError(`{"error":${objects}}`), "the result holds an error");
  assert.equal(inBandError(`{"result":${'{"result":'.repeat(50_000)}1${"}".repeat(50_000)}}`), undefined);
});
