import assert from "node:assert/strict";
import { deadline, DeadlineExceeded, sleep } from "./clock.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** Runs a program under a virtual clock and asserts that it leaves no timer behind. */
async function run(program: (clock: VirtualClock) => Promise<void>): Promise<void> {
  const clock = new VirtualClock();
  await clock.run(() => program(clock));
  assert.equal(clock.pending, 0, "timers left behind");
}

Deno.test("sleep ends early, with the signal's reason and no timer left, when the signal aborts", () =>
  run(async (clock) => {
    const controller = new AbortController();
    const reason = new Error("enough");
    clock.after(5, () => controller.abort(reason));
    await assert.rejects(sleep(clock, 1_000, controller.signal), reason);
    assert.equal(clock.now(), 5);
  }));

Deno.test("sleep does not begin when the signal has aborted", () =>
  run(async (clock) => {
    await assert.rejects(sleep(clock, 1_000, AbortSignal.abort("gone")), (reason) => reason === "gone");
    assert.equal(clock.now(), 0);
  }));

Deno.test("sleep leaves no listener on the signal", () =>
  run(async (clock) => {
    const { signal, listeners } = countingSignal();
    await sleep(clock, 5, signal);
    assert.equal(listeners(), 0);
  }));

Deno.test("sleep rejects a delay that is not one", () =>
  run(async (clock) => {
    await assert.rejects(sleep(clock, -1), RangeError);
  }));

Deno.test("deadline aborts with DeadlineExceeded when its time is up", () =>
  run(async (clock) => {
    using limit = deadline(clock, 100);
    await assert.rejects(sleep(clock, 101, limit.signal), (error) => {
      return error instanceof DeadlineExceeded && error.ms === 100;
    });
    assert.equal(clock.now(), 100);
  }));

Deno.test("deadline of 0 ms aborts after the current turn", () =>
  run(async (clock) => {
    using limit = deadline(clock, 0);
    assert(!limit.signal.aborted);
    await assert.rejects(sleep(clock, 1, limit.signal), DeadlineExceeded);
    assert.equal(clock.now(), 0);
  }));

Deno.test("deadline holds nothing and never fires once disposed", () =>
  run(async (clock) => {
    const { signal: parent, listeners, abort } = countingSignal();
    const limit = deadline(clock, 100, parent);
    assert.deepEqual([clock.pending, listeners()], [1, 1]);
    limit[Symbol.dispose]();
    limit[Symbol.dispose]();
    assert.deepEqual([clock.pending, listeners()], [0, 0]);
    await sleep(clock, 200);
    abort("late");
    limit.abort("later");
    assert(!limit.signal.aborted);
  }));

Deno.test("deadline aborts with its parent, for the parent's reason, and drops its timer", () =>
  run(async (clock) => {
    const parent = new AbortController();
    using limit = deadline(clock, 100, parent.signal);
    parent.abort("parent");
    assert.equal(limit.signal.reason, "parent");
    assert.equal(clock.pending, 0);
    await null;
  }));

Deno.test("deadline is aborted from the start under a parent that has aborted", () =>
  run(async (clock) => {
    using limit = deadline(clock, 100, AbortSignal.abort("before"));
    assert.equal(limit.signal.reason, "before");
    await null;
  }));

Deno.test("deadline without a limit of its own follows its parent only", () =>
  run(async (clock) => {
    const parent = new AbortController();
    using limit = deadline(clock, undefined, parent.signal);
    await sleep(clock, 1_000_000);
    assert(!limit.signal.aborted);
    parent.abort("now");
    assert.equal(limit.signal.reason, "now");
  }));

Deno.test("deadline inside a shorter one ends with the outer one's reason", () =>
  run(async (clock) => {
    using outer = deadline(clock, 10);
    using middle = deadline(clock, 50, outer.signal);
    using inner = deadline(clock, 30, middle.signal);
    await assert.rejects(sleep(clock, 40, inner.signal), { name: "DeadlineExceeded", ms: 10 });
    assert.deepEqual([middle.signal.aborted, clock.now()], [true, 10]);
  }));

Deno.test("deadline inside a longer one leaves the outer one alone", () =>
  run(async (clock) => {
    using outer = deadline(clock, 50);
    using inner = deadline(clock, 10, outer.signal);
    await assert.rejects(sleep(clock, 40, inner.signal), { ms: 10 });
    assert(!outer.signal.aborted);
  }));

Deno.test("deadline can be aborted for a reason of the caller's", () =>
  run(async (clock) => {
    using limit = deadline(clock, 50);
    limit.abort("no longer wanted");
    limit.abort("again");
    assert.equal(limit.signal.reason, "no longer wanted");
    await null;
  }));

/** A signal that knows who listens to it. */
function countingSignal(): { signal: AbortSignal; listeners: () => number; abort: (reason: unknown) => void } {
  const controller = new AbortController();
  const listening = new Set<unknown>();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (listening.add(args[1]), add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listening.delete(args[1]), remove(...args));
  return { signal, listeners: () => listening.size, abort: (reason) => controller.abort(reason) };
}
