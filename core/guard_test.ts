import assert from "node:assert/strict";
import { inCell } from "./cell.ts";
import { sleep } from "./clock.ts";
import { guardGlobals } from "./guard.ts";
import { calls, captured, isStray, placeOfKey, realTimers, waits } from "./testdata/strays.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** Runs a guarded cell. */
function cell<T>(main: (clock: VirtualClock) => T | Promise<T>): Promise<T> {
  const clock = new VirtualClock();
  return clock.run(() => inCell(clock, () => main(clock)));
}

Deno.test("guardGlobals makes what reaches for the machine a StrayError that names the place", async (t) => {
  for (const [what, call] of Object.entries(calls)) {
    await t.step(what, async () => {
      using _guard = guardGlobals();
      await assert.rejects(cell(call), isStray(what, placeOfKey(what)));
    });
  }
});

Deno.test("guardGlobals finds the same in a timer's wake, however the cell is entered", async () => {
  using _guard = guardGlobals();
  const where = placeOfKey("Math.random");
  const later = (clock: VirtualClock) => {
    clock.after(5, () => calls["Math.random"]?.());
    return sleep(clock, 10);
  };
  await assert.rejects(cell(later), isStray("Math.random", where));
  const clock = new VirtualClock();
  await assert.rejects(inCell(clock, () => clock.run(() => later(clock))), isStray("Math.random", where));
});

Deno.test("guardGlobals ends a cell with the bench error even if it swallows it", async () => {
  using _guard = guardGlobals();
  const swallow = async (clock: VirtualClock) => {
    try {
      calls["fetch"]?.();
    } catch {
      // As a careful worker would.
    }
    await sleep(clock, 5);
    return "fine";
  };
  await assert.rejects(cell(swallow), isStray("fetch", placeOfKey("fetch")));
});

Deno.test("guardGlobals leaves what asks for no time alone", async () => {
  using _guard = guardGlobals();
  await cell(() => {
    const date = new Date(5);
    assert.equal(date.getTime(), 5);
    assert.equal(new Date(2020, 0).getFullYear(), 2020);
    assert.equal(Date.UTC(1970, 0), 0);
    assert.equal(Date.parse("1970-01-01T00:00:00Z"), 0);
    assert(date instanceof Date);
    assert.equal(date.constructor, Date);
    assert.deepEqual(structuredClone(date), date);
    assert.equal(Math.max(1, 2), 2);
    clearTimeout(undefined);
  });
});

Deno.test("guardGlobals leaves everybody outside a cell alone, also while a cell runs", async () => {
  class Dated extends Date {
    readonly extra = 1;
  }
  const outside = async () => {
    assert(Date.now() > 1e12 && new Date().getTime() > 1e12 && Date().length > 10);
    const dated = new Dated();
    assert(dated instanceof Dated && dated instanceof Date && dated.extra === 1 && dated.getTime() > 1e12);
    assert(performance.now() > 0 && Math.random() < 1 && crypto.randomUUID().length === 36);
    assert(Temporal.Now.instant().epochMilliseconds > 1e12);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setImmediate(resolve));
    for (const wait of Object.values({ ...realTimers, ...waits })) await wait(captured);
    assert.equal((await crypto.subtle.digest("SHA-256", new Uint8Array(4))).byteLength, 32);
    assert.match(await Deno.readTextFile("deno.json"), /imports/);
    assert.match(await fetch("data:text/plain,x").then((response) => response.text()), /x/);
    const controller = new AbortController();
    clearTimeout(setTimeout(() => controller.abort(), 60_000));
    clearInterval(setInterval(() => {}, 60_000));
  };
  using _guard = guardGlobals();
  let rounds = 0;
  const running = cell(async (clock) => {
    while (rounds < 3) await sleep(clock, 1);
    return clock.now();
  });
  for (; rounds < 3; rounds++) await outside();
  assert(await running > 3, "the cell ran in between");
});

Deno.test("guardGlobals judges each of many cells by itself", async () => {
  using _guard = guardGlobals();
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) =>
      cell(async (clock) => {
        for (let step = 0; step < 10; step++) await sleep(clock, 1);
        if (i === 13) await waits["process.nextTick"]?.(captured);
        if (i === 31) calls["Date.now"]?.();
        return i;
      })),
  );
  const failed = results.flatMap((result, i) => result.status === "rejected" ? [[i, result.reason.what]] : []);
  assert.deepEqual(failed, [[13, "a wait on something real"], [31, "Date.now"]]);
});

Deno.test("guardGlobals makes one cell that waits for another a stray", async () => {
  using _guard = guardGlobals();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = cell(async () => {
    await promise;
  });
  const other = cell((clock) => sleep(clock, 1).then(resolve));
  await assert.rejects(waiting, { name: "StrayError", what: "a wait on something real" });
  await other;
});

Deno.test("guardGlobals nests, and the last one puts the globals back exactly", () => {
  // deno-fmt-ignore
  const owners = [globalThis, Date, Date.prototype, Math, Deno, AbortSignal, performance, Performance.prototype, crypto,
    Crypto.prototype, SubtleCrypto.prototype, Temporal.Now];
  const describe = () => owners.map((owner) => Object.getOwnPropertyDescriptors(owner));
  const before = describe();
  const { now } = Date;
  const outer = guardGlobals();
  const inner = guardGlobals();
  const during = describe();
  outer[Symbol.dispose]();
  outer[Symbol.dispose]();
  assert.notEqual(Date.now, now);
  assert.deepEqual(describe().map(Object.keys), during.map(Object.keys));
  inner[Symbol.dispose]();
  assert.equal(Date.now, now);
  describe().forEach((owner, i) => {
    for (const [key, after] of Object.entries(owner)) {
      const was = (before[i] as Record<string, PropertyDescriptor> | undefined)?.[key];
      for (const part of ["value", "get", "set", "configurable", "enumerable", "writable"] as const) {
        assert(Object.is(after[part], was?.[part]), `${key}.${part}`);
      }
    }
  });
});

Deno.test("guardGlobals can be installed again", async () => {
  for (let i = 0; i < 3; i++) {
    using _guard = guardGlobals();
    await assert.rejects(cell(() => Date.now()), { what: "Date.now" });
  }
  await cell(() => Date.now());
});
