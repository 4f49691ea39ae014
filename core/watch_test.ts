import assert from "node:assert/strict";
import { inCell } from "./cell.ts";
import { StrayError } from "./cell_error.ts";
import { sleep } from "./clock.ts";
import { guardGlobals } from "./guard.ts";
import { captured, isStray, load, placeOfKey, realTimers, waits } from "./testdata/strays.ts";
import { VirtualClock } from "./virtual_clock.ts";

type Work = (inTurn: () => boolean) => Promise<unknown>;
type Situation = (clock: VirtualClock, work: () => Promise<unknown>) => Promise<unknown>;

/** Runs a cell under the guard, and gives what it was rejected with; `work` has ended by then. */
async function rejection(places: boolean, work: Work, around: Situation) {
  let end: Promise<unknown> = Promise.resolve();
  const clock = new VirtualClock();
  using _guard = guardGlobals({ places });
  const run = clock.run(() => inCell(clock, () => around(clock, () => end = work(() => clock.inTurn))));
  const error = await run.then(() => assert.fail("the cell ended well"), (error: unknown) => error);
  await end.catch(() => {});
  return error;
}

/** What a cell does around its wait on something real. */
const SITUATIONS: Record<string, Situation> = {
  "and then ends": (_clock, work) => work(),
  "and then asks the clock": (clock, work) => work().then(() => sleep(clock, 1)),
  "and then waits for ever": (_clock, work) => work().then(() => new Promise(() => {})),
  "while other timers are pending": async (clock, work) => {
    await Promise.all([work(), forever(clock)]);
  },
  "and nobody waits for it": async (clock, work) => {
    work().then(() => "unseen");
    await forever(clock);
  },
  "after some turns": async (clock, work) => {
    for (let i = 0; i < 10; i++) await sleep(clock, 1);
    await work();
  },
};

async function forever(clock: VirtualClock): Promise<never> {
  for (;;) await sleep(clock, 1);
}

for (const [situation, around] of Object.entries(SITUATIONS)) {
  Deno.test(`watchCells finds a cell that waits on something real ${situation}`, async (t) => {
    for (const [key, wait] of Object.entries(waits)) {
      await t.step(key, async () => {
        const error = await rejection(false, (inTurn) => wait(captured, inTurn), around);
        assert(error instanceof StrayError, `${error}`);
        assert.match(error.where, /^(core\/\w+\/\w+\.ts:\d+:\d+|core\/watch_test\.ts:\d+:\d+|an unknown place)$/);
      });
      await t.step(`${key}, by its line`, async () => {
        const error = await rejection(true, (inTurn) => wait(captured, inTurn), around);
        isStray("a wait on something real", placeOfKey(key))(error);
      });
    }
  });
}

Deno.test("watchCells finds a real timer that is asked for by another name", async (t) => {
  for (const [key, wait] of Object.entries(realTimers)) {
    for (const [situation, around] of Object.entries(SITUATIONS)) {
      await t.step(`${key} ${situation}`, async () => {
        isStray("a real timer", placeOfKey(key))(await rejection(false, () => wait(captured), around));
      });
    }
  }
});

Deno.test("watchCells says so when no line was to be seen", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(() => setImmediate(resolve));
  const error = await rejection(false, () => promise.then(() => {}), async (clock, work) => {
    work();
    await sleep(clock, 1);
    await new Promise(() => {});
  });
  assert(error instanceof StrayError);
  assert.equal(error.where, "an unknown place");
  assert.match(error.message, /resumed the cell, after [01] ms of its time$/);
});

// Last in this file: see the limits of the guard.
Deno.test("watchCells finds a cell that waits on a dynamic import", async () => {
  let version = 0;
  for (const around of Object.values(SITUATIONS)) {
    isStray("a wait on something real", placeOfKey("import()"))(await rejection(true, () => load(version++), around));
  }
});
