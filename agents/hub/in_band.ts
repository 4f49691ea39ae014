/**
 * Errors inside results that call themselves successes. Measured on real MCP traces, most failed calls carry their
 * error only there. They are recognised by shape, never by a word at the start: a document that begins with "Error:"
 * may be data.
 */
import type { Json } from "../../core/mod.ts";
import { REASON } from "./http_reason.ts";

/** How many `result` members deep an error is looked for. */
const MAX_DEPTH = 3;

/**
 * The error inside a result, or `undefined` if the result is none.
 *
 * Shapes, of the text as JSON and of the structured content: an object with a filled `error` or `errors`; `success: false`
 * or `ok: false`; `isError: true`; a status code from 400 to 599 beside a message or, as gateways have it, a body;
 * `status: "error"` with a message and nothing of its own (JSend); each of them also under `result`. And a page of HTML whose title is that of an error. A
 * list is data, whatever is in it.
 *
 * @example
 * ```ts
 * import { inBandError } from "./in_band.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(inBandError('{"error": "db down"}'), "db down");
 * assert.equal(inBandError("Error: the film, a review"), undefined);
 * ```
 */
export function inBandError(text: string, structured?: Json): string | undefined {
  const bare = text.trim();
  if (/^<(?:!doctype html|html)\b/i.test(bare)) return pageError(bare.slice(0, 4000));
  return errorIn(bare.startsWith("{") && TELLING.test(bare) ? parsed(bare) : undefined, 0) ?? errorIn(structured, 0);
}

/** A member that could say so; without one a result, which may be large, need not be parsed. */
const TELLING = /"(?:errors?|success|ok|isError|status|statusCode|status_code|result)"\s*:/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorIn(value: unknown, depth: number): string | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined || depth > MAX_DEPTH) return undefined;
  const message = words(fields.get("message")) ?? words(fields.get("detail"));
  const error = words(fields.get("error")) ?? words(fields.get("errors"));
  if (error !== undefined) return error;
  if (fields.get("success") === false || fields.get("ok") === false) return message ?? "the result says it failed";
  if (fields.get("isError") === true) return words(fields.get("content")) ?? message ?? "the nested result is an error";
  const status = ["status", "statusCode", "status_code"].map((key) => fields.get(key)).find(isErrorStatus);
  const said = message ?? (status === undefined ? undefined : bodyOf(fields.get("body")));
  if (status !== undefined && said !== undefined) return `${status}: ${said}`;
  if (message !== undefined) {
    const own = [...fields.keys()].filter((key) => !["status", "message", "code", "data"].includes(key));
    if (fields.get("status") === "error" && own.length === 0) return message;
  }
  return errorIn(fields.get("result"), depth + 1);
}

function fieldsOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return new Map<string, unknown>(Object.entries(value));
}

const isErrorStatus = (status: unknown): status is number =>
  typeof status === "number" && Number.isInteger(status) && status >= 400 && status < 600;

/** What an error field says, or `undefined` if it is empty and so says that there is none. */
function words(field: unknown, depth = 0): string | undefined {
  if (typeof field === "string") return field.trim() === "" ? undefined : field;
  if (field === true) return "the result says it is an error";
  if (depth > MAX_DEPTH) return "the result holds an error";
  if (Array.isArray(field)) return field.length === 0 ? undefined : words(field[0], depth + 1) ?? shown(field[0]);
  const inner = fieldsOf(field);
  if (inner === undefined || inner.size === 0) return undefined;
  return words(inner.get("message"), depth + 1) ?? words(inner.get("text"), depth + 1) ?? shown(field);
}

/** What a gateway's body says: most have theirs as JSON in a string. */
function bodyOf(body: unknown): string | undefined {
  const inner = typeof body === "string" && body.trimStart().startsWith("{") ? parsed(body) ?? body : body;
  return words(inner);
}

/** A value as JSON, however deep it is: a hostile one can be deeper than the stack. */
function shown(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "the result holds an error";
  }
}

const STATUS_TITLE = new RegExp(
  `^(?:(?:(?:http|error|status(?: code)?)[ :]*)*[45]\\d\\d(?:[ :.-]+(?:error|${REASON}))?|error|(?:error[ :]+)?(?:${REASON}))$`,
  "i",
);

/** The title of a page, if that is all that the page is: the page of a status, not one about it. */
function pageError(page: string): string | undefined {
  const title = /<title[^>]*>([^<]{0,200})<\/title>/i.exec(page)?.[1]?.replace(/\s+/g, " ").trim() ?? "";
  return title.split(/ [|·–—-] /).some((part) => STATUS_TITLE.test(part.trim().replace(/[.!]$/, "")))
    ? title
    : undefined;
}
