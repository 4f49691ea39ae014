/**
 * Whether a tool's result is a failure, by its shape. The bench's own reading, and no subject's: what a subject takes for
 * a success is what is to be judged.
 */
import type { Json } from "../../core/mod.ts";

/** How many results inside of results are looked into. */
const MAX_DEPTH = 3;

/** A page of HTML about an error, by its title. */
const ERROR_PAGE = /<title[^>]*>\s*(?:error\b|[45]\d\d\b)[^<]*<\/title>/i;

/**
 * Whether a result's text says that the call came to nothing: it is empty, it is an error page, or it is a JSON object
 * with an error, a flag that says so, or a status of HTTP from 400 to 599; also inside a `result`.
 *
 * @example
 * ```ts
 * import { isFailedResult } from "./result_shape.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(isFailedResult('{"error": "db down"}'));
 * assert.ok(!isFailedResult("Error: the film, a review"));
 * ```
 */
export function isFailedResult(text: string): boolean {
  const before = known.get(text);
  if (before !== undefined) return before;
  const failed = readFailure(text);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= MAX_LENGTH) known.set(text, failed);
  return failed;
}

/** Several scorers ask of each result: some are remembered, and how long they may be, in UTF-16 units. */
const MAX_KNOWN = 256;
const MAX_LENGTH = 10_000;
const known = new Map<string, boolean>();

function readFailure(text: string): boolean {
  const bare = text.trim();
  if (bare === "") return true;
  if (/^<(?:!doctype|html)\b/i.test(bare)) return ERROR_PAGE.test(bare.slice(0, 4000));
  return bare.startsWith("{") && isFailure(parsed(bare), 0);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isFailure(value: Json | undefined, depth: number): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > MAX_DEPTH) return false;
  const field = (name: string): Json | undefined => Object.hasOwn(value, name) ? value[name] : undefined;
  if (isFilled(field("error")) || isFilled(field("errors")) || field("isError") === true) return true;
  if (field("success") === false || field("ok") === false) return true;
  const status = ["status", "statusCode", "status_code"].map(field).find((one) => typeof one === "number");
  const says = field("message") !== undefined || field("detail") !== undefined || field("body") !== undefined;
  if (typeof status === "number" && status >= 400 && status < 600 && says) return true;
  return isFailure(field("result"), depth + 1);
}

/** An error that is there and empty says that there is none. */
function isFilled(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
