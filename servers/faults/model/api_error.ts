/** Errors as the two providers write them. */
import type { ModelFailure, WireReply } from "../model_hooks.ts";
import type { SseEvent } from "./sse.ts";

const OPENAI: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["invalid_request_error", "unsupported_country_region_territory"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["rate_limit_error", "rate_limit_exceeded"],
  503: ["server_error", "overloaded"],
  529: ["server_error", "overloaded"],
};

const ANTHROPIC: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/**
 * The body of an error.
 *
 * @param param What of the request it is about, which OpenAI says.
 */
export function errorBody(
  api: WireReply["api"],
  { status, message, apiCode }: ModelFailure,
  param: string | null = null,
): string {
  if (api !== "anthropic") {
    const [type, code] = OPENAI[status] ?? [status < 500 ? "invalid_request_error" : "server_error", null];
    return JSON.stringify({ error: { message, type, param, code: apiCode ?? code } });
  }
  const type = ANTHROPIC[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return JSON.stringify({ type: "error", error: { type, message } });
}

/** What an error inside a stream is: its event, where it has a name, and the event's data. */
export function errorEvent(api: WireReply["api"], failure: ModelFailure, sequenceNumber: number): SseEvent {
  const { message, status, apiCode } = failure;
  if (api === "responses") {
    const code = apiCode ?? OPENAI[status]?.[1] ?? "server_error";
    const data = JSON.stringify({ type: "error", sequence_number: sequenceNumber, code, message, param: null });
    return { event: "error", data };
  }
  return { ...(api === "anthropic" && { event: "error" }), data: errorBody(api, failure) };
}

/** The headers of an error: when to come again, if it says so. */
export function errorHeaders(
  { retryAfterMs, retryAfterAs = "seconds" }: ModelFailure,
  epochMs: number,
): Record<string, string> {
  const headers = { "content-type": "application/json" };
  if (retryAfterMs === undefined) return headers;
  if (retryAfterAs === "milliseconds") return { ...headers, "retry-after-ms": String(Math.ceil(retryAfterMs)) };
  const seconds = Math.ceil(retryAfterMs / 1000);
  // A date has whole seconds: the next one, so that it is never too early.
  const date = () => new Date(Math.ceil((epochMs + retryAfterMs) / 1000) * 1000).toUTCString();
  return { ...headers, "retry-after": retryAfterAs === "date" ? date() : String(seconds) };
}
