import assert from "node:assert/strict";
import { DeadlineExceeded } from "./clock.ts";
import { CodedError, FAILURE_CODES, FAILURES, toFailure } from "./failure.ts";

Deno.test("FAILURES documents each code with a cause and a route that ends in disclosure", () => {
  assert.equal(FAILURE_CODES.length, new Set(FAILURE_CODES).size);
  for (const code of FAILURE_CODES) {
    const { cause, route } = FAILURES[code];
    assert.match(cause, /^[A-Z].*\.$/);
    assert.equal(route.at(-1), "disclose");
    assert.equal(new Set(route).size, route.length);
    assert((route as readonly string[]).includes("retry") ? FAILURES[code].retryable : true, code);
  }
});

Deno.test("FAILURES never retries a call whose effect may have happened", () => {
  const { route } = FAILURES.outcome_unknown;
  assert.ok(route.every((strategy) => !["retry", "extend", "reassign"].includes(strategy)), `${route}`);
  assert(!FAILURES.outcome_unknown.retryable);
});

Deno.test("toFailure keeps a code, knows a deadline, and calls the rest internal", () => {
  const coded = new CodedError("conflict", "somebody was faster", { cause: "x" });
  assert.deepEqual(toFailure(coded), { code: "conflict", detail: "somebody was faster" });
  assert.deepEqual([coded.name, coded.message, coded.cause], ["CodedError", "somebody was faster", "x"]);
  assert.deepEqual(toFailure(new DeadlineExceeded(5)), { code: "timeout", detail: "deadline of 5 ms exceeded" });
  assert.deepEqual(toFailure(new TypeError("no")), { code: "internal", detail: "TypeError: no" });
});

Deno.test("toFailure takes anything that can be thrown", () => {
  const hostile = { toString: () => assert.fail("called") };
  for (const thrown of ["text", undefined, null, 5, Symbol("s"), Object.create(null), hostile, 1n]) {
    assert.equal(toFailure(thrown).code, "internal");
  }
  assert.equal(toFailure("text").detail, "text");
});
