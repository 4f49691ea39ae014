/** A connection that a fault has touched is nobody else's. */
import { FAULTS } from "./faults/registry.ts";
import type { FaultEntry } from "./faults/fault.ts";
import { type PlainHub, sim, World } from "./testing.ts";
import assert from "node:assert/strict";

const ORDER = { order_id: "12345" };

async function use(world: World): Promise<PlainHub> {
  const hub = await world.hub();
  await hub.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  });
  await hub.request("tools/list");
  await hub.call("find_order", ORDER);
  return hub;
}

Deno.test("park() keeps a connection whose whole messages faults have changed, and no other", () =>
  sim(async (clock) => {
    const at = "orders";
    const kept: FaultEntry[] = [{ fault: "tool_error", at }, { fault: "latency", at, ms: 5 }, {
      fault: "silent_noop",
      at: "orders.refund_status",
    }];
    const refused: FaultEntry[] = [
      { fault: "split_bytes", at },
      { fault: "crlf", at, on: "stream" },
      { fault: "duplicate_reply", at },
      { fault: "stdout_noise", at, on: "initialize" },
      { fault: "dies_idle", at, after: 60_000 },
      { fault: "duplicate_tool", at },
      { fault: "list_changed", at, count: 1 },
      { fault: "version_mismatch", at },
      { fault: "duplicate_delivery", at },
      { fault: "unsolicited_reply", at },
    ];
    for (const entry of [...kept, ...refused]) {
      const world = new World(clock, "orders", [entry]);
      await use(world);
      assert.equal(world.link.park(), kept.includes(entry), entry.fault);
      await world.link.close();
      await world.link.discard();
    }
  }));

Deno.test("resume() gives no parked connection to a cell with a fault of the connection itself", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders");
    await use(world);
    assert.equal(world.link.park(), true);
    await world.link.close();
    world.bind([{ fault: "version_mismatch", at: "orders" }]);
    assert.equal(world.link.resume(), false);
    await world.link.close();
    world.bind([]);
    assert.equal(world.link.resume(), true);
    await world.link.close();
  }));

Deno.test("a parked connection meets the faults of bytes of the cell that takes it, and is then not kept", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders");
    const hub = await use(world);
    world.link.park();
    await world.link.close();
    world.bind([{ fault: "invalid_utf8", at: "orders" }]);
    assert.equal(world.link.resume(), true);
    const { result } = await hub.call("find_order", ORDER);
    assert.match(JSON.stringify(result), /\ufffd/);
    assert.deepEqual(world.seen("reply").length, 1);
    assert.equal(world.link.park(), false);
    await world.link.close();
  }));

Deno.test("Fault.ofConnection is set for whatever a parked connection could not meet", () => {
  for (const { id, applies, ofConnection } of FAULTS.values()) {
    if (applies.includes("agent")) assert.equal(ofConnection, false, id);
  }
  for (const id of ["server_down", "slow_close", "crash", "dies_idle", "bad_tool_schema", "version_mismatch", "crlf"]) {
    assert.equal(FAULTS.get(id)?.ofConnection, true, id);
  }
  for (const id of ["tool_error", "latency", "truncated_result", "wrong_id", "oversized_line"]) {
    assert.equal(FAULTS.get(id)?.ofConnection, false, id);
  }
});
