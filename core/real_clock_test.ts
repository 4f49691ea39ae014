import assert from "node:assert/strict";
import { type Clock, sleep } from "./clock.ts";
import { RealClock } from "./real_clock.ts";

Deno.test("RealClock wakes in order and not before the call has returned", async () => {
  const clock: Clock = new RealClock();
  const log: string[] = [];
  const timer = clock.after(1, () => log.push("cancelled"));
  await new Promise<void>((resolve) => {
    clock.after(2, () => (log.push("second"), resolve()));
    clock.after(0, () => log.push("first"));
    timer.cancel();
    log.push("asked");
  });
  timer.cancel();
  assert.deepEqual(log, ["asked", "first", "second"]);
  assert(clock.now() >= 0);
});

Deno.test("RealClock refuses the delays that VirtualClock refuses", () => {
  for (const ms of [-1, Infinity, NaN]) assert.throws(() => new RealClock().after(ms, () => {}), RangeError);
});

Deno.test("RealClock does not fire at once for a delay that setTimeout cannot keep", async () => {
  const clock = new RealClock();
  let fired = false;
  const timer = clock.after(2 ** 31, () => fired = true);
  await sleep(clock, 5);
  timer.cancel();
  assert(!fired);
});
