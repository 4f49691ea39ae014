import { sleep } from "../core/mod.ts";
import { z } from "zod";
import { Debts } from "./debts.ts";
import { defineFixture } from "./fixture.ts";
import { sim, World } from "./testing.ts";
import assert from "node:assert/strict";

/** A server that answers after a second. */
const SLOW = defineFixture({
  id: "slow",
  version: "1.0.0",
  title: "Slow",
  data: z.strictObject({}),
  tools: (tool) => [
    tool({
      name: "wait",
      description: "Waits.",
      input: z.strictObject({}),
      run: async (_, { clock, signal }) => (await sleep(clock, 1000, signal), { text: "done" }),
    }),
  ],
});
const call = (id: string) => ({ order_id: id });

Deno.test("Debts are settled at once when there are none", async () => {
  const debts = new Debts();
  await debts.flushed();
  await debts.settled();
});

for (
  const [fault, flushedAt, settledAt] of [
    [[], 0, 0],
    [[{ fault: "latency", at: "orders.find_order", ms: 700 }], 700, 700],
    [[{ fault: "pause_resume", at: "orders.find_order", ms: 300 }], 300, 300],
    [[{ fault: "black_hole", at: "orders.find_order" }], 0, 0],
  ] as const
) {
  Deno.test(`FaultLink.settled() and flushed() wait for what ${fault[0]?.fault ?? "no fault"} holds back`, () =>
    sim(async (clock) => {
      const world = new World(clock, "orders", fault);
      const hub = await world.hub();
      void hub.call("find_order", call("12345"));
      // The link has it, and the server's answer.
      await sleep(clock, 0);
      await world.link.flushed();
      assert.equal(clock.now(), flushedAt);
      await world.link.settled();
      assert.equal(clock.now(), settledAt);
      await sleep(clock, 0);
      assert.equal(hub.received.length, fault[0]?.fault === "black_hole" ? 0 : 1);
      await world.link.close();
    }));
}

Deno.test("FaultLink.settled() waits for a server that takes its time, unless the call is called off", () =>
  sim(async (clock) => {
    const world = new World(clock, SLOW);
    const hub = await world.hub();
    void hub.call("wait", {});
    await sleep(clock, 0);
    await world.link.flushed();
    assert.equal(clock.now(), 0);
    await world.link.settled();
    assert.equal(clock.now(), 1000);
    void hub.call("wait", {});
    await sleep(clock, 100);
    await hub.notify("notifications/cancelled", { requestId: hub.lastId });
    await world.link.settled();
    assert.equal(clock.now(), 1100);
    await world.link.close();
  }));
