import assert from "node:assert/strict";
import { sleep, VirtualClock } from "../../../core/mod.ts";
import { Throttle, type ThrottleOptions } from "./throttle.ts";

/** When each of some calls begins that all ask at once and take so long. */
async function beginnings(options: ThrottleOptions, calls: number, takesMs: number, pauseMs = 0): Promise<number[]> {
  const clock = new VirtualClock();
  const throttle = new Throttle(options, clock);
  if (pauseMs > 0) throttle.pause(pauseMs);
  return await clock.run(() =>
    Promise.all(Array.from({ length: calls }, async () => {
      using _call = await throttle.enter(new AbortController().signal);
      const began = clock.now();
      await sleep(clock, takesMs);
      return began;
    }))
  );
}

Deno.test("Throttle lets so many calls run at once, in the order in which they ask", async () => {
  assert.deepEqual(await beginnings({ concurrent: 2 }, 5, 100), [0, 0, 100, 100, 200]);
});

Deno.test("Throttle lets so many calls begin within any minute", async () => {
  assert.deepEqual(await beginnings({ concurrent: 9, perMinute: 2 }, 5, 100), [0, 0, 60_000, 60_000, 120_000]);
});

Deno.test("Throttle lets nobody begin while the provider wants to be left alone", async () => {
  assert.deepEqual(await beginnings({ concurrent: 9 }, 2, 100, 750), [750, 750]);
});

Deno.test("Throttle forgets a caller who has gone, and the next one begins", async () => {
  const clock = new VirtualClock();
  const throttle = new Throttle({ concurrent: 1 }, clock);
  await clock.run(async () => {
    const first = await throttle.enter(new AbortController().signal);
    const caller = new AbortController();
    const gone = throttle.enter(caller.signal);
    const next = throttle.enter(new AbortController().signal);
    caller.abort(new Error("gone"));
    // While the first still runs.
    await assert.rejects(gone, /gone/);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    (await next)[Symbol.dispose]();
  });
});

Deno.test("Throttle keeps no caller who has gone waiting for those before it", async () => {
  const clock = new VirtualClock();
  const throttle = new Throttle({ concurrent: 1 }, clock);
  await clock.run(async () => {
    const first = await throttle.enter(new AbortController().signal);
    const second = throttle.enter(new AbortController().signal);
    const caller = new AbortController();
    const third = throttle.enter(caller.signal);
    caller.abort(new Error("gone"));
    await assert.rejects(third, /gone/);
    first[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    (await throttle.enter(new AbortController().signal))[Symbol.dispose]();
  });
});
