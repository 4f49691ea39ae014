import assert from "node:assert/strict";
import { untilAborted } from "./abort.ts";

Deno.test("untilAborted gives what the promise comes to", async () => {
  const { signal } = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(untilAborted(Promise.reject(new TypeError("mine")), signal), TypeError);
});

Deno.test("untilAborted rejects with the signal's reason and hands over what comes late", async () => {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const late: string[] = [];
  const waiting = untilAborted(promise, controller.signal, (value) => late.push(value));
  controller.abort("enough");
  await assert.rejects(waiting, (reason) => reason === "enough");
  resolve("late");
  await promise;
  assert.deepEqual(late, ["late"]);
});

Deno.test("untilAborted drops a late rejection", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  await assert.rejects(untilAborted(promise, AbortSignal.abort("before")), (reason) => reason === "before");
  reject(new Error("nobody waits for this"));
  await promise.catch(() => {});
});
