import assert from "node:assert/strict";
import { sim } from "../../agents/testing.ts";
import { withClientRetries } from "./retry.ts";

const failing = (status: number, more: object = {}) => Object.assign(new Error("no"), { status, ...more });

Deno.test("withClientRetries() tries three times in all, and waits as it is told", () =>
  sim(async (clock) => {
    let calls = 0;
    const call = () => {
      calls++;
      return Promise.reject(failing(503));
    };
    await assert.rejects(withClientRetries(call, clock, new AbortController().signal));
    assert.deepEqual([calls, clock.now()], [3, 1500]);
    calls = 0;
    const asked = () => ++calls === 1 ? Promise.reject(failing(429, { retryAfterMs: 70 })) : Promise.resolve("there");
    assert.equal(await withClientRetries(asked, clock, new AbortController().signal), "there");
    assert.equal(clock.now(), 1570);
  }));

Deno.test("withClientRetries() does not try again what would fail again", () =>
  sim(async (clock) => {
    let calls = 0;
    const call = () => {
      calls++;
      return Promise.reject(failing(404));
    };
    await assert.rejects(withClientRetries(call, clock, new AbortController().signal));
    assert.equal(calls, 1);
  }));
