/**
 * Why a server refused, where it says so in a form that a program can read: an HTTP status, or a code word. Never by its
 * message: whoever writes "permission denied" into one must not be able to choose the route.
 */
import type { FailureCode } from "../../core/mod.ts";

/** A refusal with a code of its own. */
export interface Refusal {
  /** What it amounts to. */
  readonly code: Extract<FailureCode, "rate_limited" | "unauthorized" | "conflict">;
  /** How long to wait, in milliseconds, where the server says so. */
  readonly retryAfterMs?: number;
}

/** What servers on HTTP's streams send with 404 for a session that is over: the caller is nobody any more. */
const SESSION_OVER = -32001;

const WORDS: ReadonlyMap<unknown, Refusal["code"]> = new Map([
  ["rate_limited", "rate_limited"],
  ["unauthorized", "unauthorized"],
  ["conflict", "conflict"],
]);

/**
 * The refusal in an error's data or in a result that is an error; `undefined` where it is none of those that have a code
 * of their own.
 *
 * An HTTP status is looked for in the body, in its `error`, `response` or `result`, and in the code of a JSON-RPC error:
 * 401, 403 and 407 are `unauthorized`, 409 and 412 `conflict`, 429 and 529 `rate_limited`. A 503 is that only with a
 * time to wait for, and a 404 `unauthorized` only for a session that is over: else what was asked for is not there. A
 * code word counts only if it is all that the member says.
 *
 * @param rpcCode The code, if it is an error of JSON-RPC.
 */
export function refusalOf(body: unknown, rpcCode?: number): Refusal | undefined {
  // Most errors are words and no body.
  if (!isObject(body) && rpcCode === undefined) return undefined;
  const outer = fieldsOf(body);
  const all = [outer, ...["error", "response", "result"].map((key) => fieldsOf(outer.get(key)))];
  const status = all.map(statusIn).find((one) => one !== undefined) ?? httpStatus(rpcCode);
  const retryAfterMs = all.map(retryIn).find((one) => one !== undefined);
  const code = codeOf(status, rpcCode, retryAfterMs) ?? all.map(wordIn).find((one) => one !== undefined);
  if (code === undefined) return undefined;
  return { code, ...(retryAfterMs === undefined || code !== "rate_limited" ? {} : { retryAfterMs }) };
}

function codeOf(status: number | undefined, rpcCode?: number, retryAfterMs?: number): Refusal["code"] | undefined {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return "unauthorized";
    case 404:
      return rpcCode === SESSION_OVER ? "unauthorized" : undefined;
    case 409:
    case 412:
      return "conflict";
    case 429:
    case 529:
      return "rate_limited";
    case 503:
      return retryAfterMs === undefined ? undefined : "rate_limited";
    default:
      return undefined;
  }
}

type Fields = ReadonlyMap<string, unknown>;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function fieldsOf(value: unknown): Fields {
  return new Map<string, unknown>(isObject(value) ? Object.entries(value) : []);
}

function statusIn(fields: Fields): number | undefined {
  return ["status", "statusCode", "status_code", "httpStatus", "code"].map((key) => httpStatus(fields.get(key)))
    .find((one) => one !== undefined);
}

function httpStatus(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

function wordIn(fields: Fields): Refusal["code"] | undefined {
  return WORDS.get(fields.get("error")) ?? WORDS.get(fields.get("code"));
}

/** `Retry-After` in its form of seconds; its other form, a date, would need the server's clock. */
function retryIn(fields: Fields): number | undefined {
  const seconds = ["retryAfter", "retry_after", "retry-after", "Retry-After"].map((key) => fields.get(key))
    .find((one) => one !== undefined);
  const ms = Number(fields.get("retryAfterMs") ?? Number(seconds ?? NaN) * 1000);
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
