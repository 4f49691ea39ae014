/** What each fault does to a call, seen by the hub and by the world. */
import { RealClock, sleep } from "../../core/mod.ts";
import { orders } from "../fixtures/orders.ts";
import { sim, World } from "../testing.ts";
import assert from "node:assert/strict";

const ORDER = { order_id: "12345" };
const FOUND = orders.instantiate().call("find_order", ORDER, {
  clock: new RealClock(),
  signal: new AbortController().signal,
});
const TEXT = JSON.stringify(FOUND);
const request = (call: number, args = ORDER) => ({ type: "request", tool: "find_order", call, args, meta: {} });

Deno.test("tool_error: the server sees the call, and the hub gets an error with the message", () =>
  sim(async (clock) => {
    const fault = { fault: "tool_error", at: "orders.find_order", message: "orders-db connection refused" };
    const world = new World(clock, "orders", [fault]);
    const hub = await world.hub();
    const reply = await hub.call("find_order", ORDER, { "brownout/nonce": "n" });
    assert.deepEqual(reply.result, {
      content: [{ type: "text", text: "orders-db connection refused" }],
      isError: true,
      _meta: { "brownout/nonce": "n" },
    });
    assert.equal((await hub.call("refund_status", ORDER)).error, undefined);
    await hub.close();
    await world.link.close();
    const of = { tool: "find_order", call: 1 };
    assert.deepEqual(world.seen("request", "fault", "reply").slice(0, 3), [
      { ...request(1), meta: { "brownout/nonce": "n" } },
      { type: "fault", fault: "tool_error", at: "orders.find_order", ...of },
      { type: "reply", ...of, isError: true, text: "orders-db connection refused" },
    ]);
    assert.equal(world.seen("fault").length, 1);
  }));

Deno.test("tool_error with when.first is a flaky tool: a second call gets past it", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "tool_error", at: "orders", when: { first: 1 } }]);
    const hub = await world.hub();
    await hub.call("find_order", ORDER);
    await hub.call("find_order", ORDER);
    assert.deepEqual(world.seen("reply").map(({ isError }) => isError), [true, false]);
    await world.link.close();
  }));

Deno.test("error_in_band: the result is no error, and says one", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "error_in_band", at: "orders", message: "db down" }]);
    const hub = await world.hub();
    const reply = await hub.call("find_order", ORDER);
    assert.deepEqual(reply.result, { content: [{ type: "text", text: '{"error":"db down"}' }] });
    assert.deepEqual(world.seen("reply").map(({ isError, text }) => [isError, text]), [[false, '{"error":"db down"}']]);
    await world.link.close();
  }));

Deno.test("latency: the right reply comes late, and other calls overtake it", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "latency", at: "orders.find_order", ms: "2s" }]);
    const hub = await world.hub();
    const slow = hub.call("find_order", ORDER);
    await hub.call("refund_status", ORDER);
    assert.equal(clock.now(), 0);
    assert.deepEqual((await slow).result, { content: [{ type: "text", text: TEXT }] });
    assert.equal(clock.now(), 2000);
    assert.deepEqual(world.seen("request", "fault", "reply").map(({ type, tool }) => `${type} ${tool}`), [
      "request find_order",
      "request refund_status",
      "fault find_order",
      "reply refund_status",
      "reply find_order",
    ]);
    await world.link.close();
  }));

Deno.test("latency: jitter stays within its bounds, differs from call to call, and is the same for the same seed", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders");
    const delays = async (seed: string) => {
      world.bind([{ fault: "latency", at: "orders", ms: 1000, jitter: 400 }], seed);
      const hub = await world.hub();
      const found: number[] = [];
      for (let i = 0; i < 20; i++) {
        const before = clock.now();
        await hub.call("find_order", ORDER);
        found.push(Math.round(clock.now() - before));
      }
      await world.link.close();
      return found;
    };
    const first = await delays("a");
    assert.ok(first.every((ms) => ms >= 600 && ms <= 1400), String(first));
    assert.ok(new Set(first).size > 15);
    assert.deepEqual(await delays("a"), first);
    assert.notDeepEqual(await delays("b"), first);
  }));

Deno.test("black_hole: no answer comes, and the hub's cancellation is recorded", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "black_hole", at: "orders", when: { calls: [1] } }]);
    const hub = await world.hub();
    hub.call("find_order", ORDER);
    await sleep(clock, 5000);
    assert.deepEqual(hub.received, []);
    await hub.notify("notifications/cancelled", { requestId: 1 });
    assert.equal((await hub.call("find_order", ORDER)).error, undefined);
    const of = { tool: "find_order", call: 1 };
    assert.deepEqual(world.seen("request", "fault", "reply", "cancelled"), [
      request(1),
      { type: "fault", fault: "black_hole", at: "orders", ...of },
      { type: "cancelled", ...of },
      request(2),
      { type: "reply", tool: "find_order", call: 2, isError: false, text: TEXT },
    ]);
    await world.link.close();
  }));

Deno.test("server_down: the connection is refused, and the server is never asked", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "server_down", at: "orders" }]);
    const refusal = { name: "ConnectionRefusedError", code: "ECONNREFUSED", message: "orders: connection refused" };
    await assert.rejects(world.link.open(), refusal);
    await assert.rejects(world.link.open(), refusal);
    assert.equal(world.connections, 0);
    assert.deepEqual(world.seen("fault", "connect"), [
      { type: "fault", fault: "server_down", at: "orders", call: 1 },
      { type: "connect", attempt: 1, ok: false },
      { type: "fault", fault: "server_down", at: "orders", call: 2 },
      { type: "connect", attempt: 2, ok: false },
    ]);
  }));

Deno.test("server_down with when.calls counts attempts to connect", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "server_down", at: "orders", when: { calls: [1] } }]);
    await assert.rejects(world.link.open(), { name: "ConnectionRefusedError" });
    const hub = await world.hub();
    assert.equal((await hub.call("find_order", ORDER)).error, undefined);
    await world.link.close();
    assert.deepEqual(world.seen("connect").map(({ ok }) => ok), [false, true]);
  }));
