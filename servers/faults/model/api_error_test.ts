import { errorBody, errorEvent, errorHeaders } from "./api_error.ts";
import assert from "node:assert/strict";

const LIMITED = { status: 429, message: "slow down", code: "rate_limited", retryAfterMs: 1500 } as const;

Deno.test("errorHeaders() writes when to come again in each of the three ways, and never too early", () => {
  const json = { "content-type": "application/json" };
  assert.deepEqual(errorHeaders(LIMITED, 0), { ...json, "retry-after": "2" });
  assert.deepEqual(errorHeaders({ ...LIMITED, retryAfterAs: "milliseconds" }, 0), {
    ...json,
    "retry-after-ms": "1500",
  });
  assert.deepEqual(errorHeaders({ ...LIMITED, retryAfterAs: "date" }, 100), {
    ...json,
    "retry-after": "Thu, 01 Jan 1970 00:00:02 GMT",
  });
  assert.deepEqual(errorHeaders({ status: 500, message: "", code: "model_error" }, 0), json);
});

Deno.test("errorEvent() writes what each protocol sends inside a stream", () => {
  const error = { message: "slow down", type: "rate_limit_error" };
  assert.deepEqual(errorEvent("openai", LIMITED, 7), { data: errorBody("openai", LIMITED) });
  const { event, data } = errorEvent("anthropic", LIMITED, 7);
  assert.deepEqual([event, JSON.parse(data)], ["error", { type: "error", error }]);
  const responses = errorEvent("responses", LIMITED, 7);
  assert.equal(responses.event, "error");
  assert.deepEqual(JSON.parse(responses.data), {
    ...{ type: "error", sequence_number: 7, code: "rate_limit_exceeded", message: "slow down", param: null },
  });
});

Deno.test("errorBody() writes each provider's own shape", () => {
  assert.deepEqual(JSON.parse(errorBody("openai", LIMITED)), {
    error: { message: "slow down", type: "rate_limit_error", param: null, code: "rate_limit_exceeded" },
  });
  assert.equal(errorBody("responses", LIMITED), errorBody("openai", LIMITED));
  assert.equal(JSON.parse(errorBody("responses", LIMITED, "input")).error.param, "input");
  assert.deepEqual(JSON.parse(errorBody("anthropic", LIMITED)), {
    type: "error",
    error: { type: "rate_limit_error", message: "slow down" },
  });
  const types = [400, 401, 403, 404, 413, 418, 500, 504, 529].map((status) =>
    JSON.parse(errorBody("anthropic", { status, message: "", code: "model_error" })).error.type
  );
  assert.deepEqual(types, [
    "invalid_request_error",
    "authentication_error",
    "permission_error",
    "not_found_error",
    "request_too_large",
    "invalid_request_error",
    "api_error",
    "timeout_error",
    "overloaded_error",
  ]);
});
