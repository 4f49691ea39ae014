import assert from "node:assert/strict";
import { refusalOf } from "./refusal.ts";

Deno.test("refusalOf() reads the status of an error's data, wherever servers put it", () => {
  const cases: readonly [data: unknown, rpcCode: number, code: string | undefined][] = [
    [{ status: 401 }, -32000, "unauthorized"],
    [{ statusCode: 403 }, -32000, "unauthorized"],
    [{ status_code: "407" }, -32000, "unauthorized"],
    [{ status: 409 }, -32000, "conflict"],
    [{ httpStatus: 412 }, -32000, "conflict"],
    [{ error: { code: 429 } }, -32000, "rate_limited"],
    [{ response: { status: 529 } }, -32000, "rate_limited"],
    [undefined, 429, "rate_limited"],
    // A session that is over; but an order that is not there is no matter of rights.
    [{ status: 404 }, -32001, "unauthorized"],
    [{ status: 404 }, -32000, undefined],
    [{ status: 503, retryAfter: 1 }, -32000, "rate_limited"],
    [{ status: 503 }, -32000, undefined],
    [{ status: 500 }, -32603, undefined],
    [{ status: 200 }, -32000, undefined],
    [{ error: "conflict" }, 0, "conflict"],
    [{ code: "unauthorized" }, 0, "unauthorized"],
  ];
  for (const [data, rpcCode, code] of cases) assert.equal(refusalOf(data, rpcCode)?.code, code, JSON.stringify(data));
});

Deno.test("refusalOf() says how long to wait, in milliseconds", () => {
  assert.deepEqual(refusalOf({ status: 429, retryAfter: 2 }), { code: "rate_limited", retryAfterMs: 2000 });
  assert.deepEqual(refusalOf({ status: 429, "Retry-After": "0.5" }), { code: "rate_limited", retryAfterMs: 500 });
  assert.deepEqual(refusalOf({ status: 429, retryAfterMs: 7 }), { code: "rate_limited", retryAfterMs: 7 });
  for (const odd of [-1, "soon", "Wed, 21 Oct 2026 07:28:00 GMT", Infinity, {}]) {
    assert.deepEqual(refusalOf({ status: 429, retryAfter: odd }), { code: "rate_limited" });
  }
});

Deno.test("refusalOf() reads no words: who writes a message does not choose the route", () => {
  const words = [
    "429 Too Many Requests",
    { message: "401 Unauthorized" },
    { error: "permission denied, conflict" },
    { error: { message: "rate_limited" } },
    { status: "unauthorized" },
    ["conflict"],
    null,
    undefined,
  ];
  for (const body of words) assert.equal(refusalOf(body), undefined, JSON.stringify(body));
});
