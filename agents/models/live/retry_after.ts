/** When a provider wants to be asked again, out of the headers of its refusal. */

/** What a reply's headers are asked for. */
export type HeaderReader = Pick<Headers, "get">;

/**
 * Reads `retry-after-ms` (milliseconds; OpenAI's and Azure's), else `retry-after`: seconds, or a date (RFC 9110, section
 * 10.2.3).
 *
 * @param epochMs The time, in milliseconds since 1970, for dates.
 * @returns Milliseconds, never negative; `undefined` where nothing is said that can be understood.
 * @example
 * ```ts
 * import { retryAfterMs } from "./retry_after.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(retryAfterMs(new Headers({ "retry-after": "2" }), 0), 2000);
 * assert.equal(retryAfterMs(new Headers({ "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }), 1000), 4000);
 * assert.equal(retryAfterMs(new Headers(), 0), undefined);
 * ```
 */
export function retryAfterMs(headers: HeaderReader, epochMs: number): number | undefined {
  const exact = decimal(headers.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const written = headers.get("retry-after");
  const seconds = decimal(written);
  if (seconds !== undefined) return seconds * 1000;
  const date = written === null || !/[a-z]/i.test(written) ? NaN : Date.parse(written);
  return Number.isNaN(date) ? undefined : Math.max(0, date - epochMs);
}

function decimal(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined;
}
