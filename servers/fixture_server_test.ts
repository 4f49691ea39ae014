// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type Clock, JsonLines, memoryPair, sleep } from "../core/mod.ts";
import { z } from "zod";
import { defineFixture, type Fixture, ToolFailure } from "./fixture.ts";
import { FixtureServer } from "./fixture_server.ts";
import { orders } from "./fixtures/orders.ts";
import { PlainHub, sim } from "./testing.ts";
import assert from "node:assert/strict";

const waits = new Map<string, string>();

/** A fixture for what the real ones have no need of yet. */
const probe = defineFixture({
  id: "probe",
  version: "1.0.0",
  title: "Probe",
  data: z.strictObject({ ms: z.number().default(1000) }),
  tools: (tool) => [
    tool({
      name: "wait",
      description: "Waits.",
      input: z.strictObject({ as: z.string() }),
      async run({ as }, { data, clock, signal }) {
        waits.set(as, "waiting");
        await sleep(clock, data.ms, signal).catch((reason) => {
          waits.set(as, "ended early");
          throw reason;
        });
        waits.set(as, "done");
        return { at: clock.now() };
      },
    }),
    tool({
      name: "fail",
      description: "Fails.",
      input: z.strictObject({ defect: z.boolean().default(false) }),
      run({ defect }) {
        throw defect ? new TypeError("a defect") : new ToolFailure("out of stock");
      },
    }),
    tool({
      name: "typed",
      description: "Has an output schema.",
      input: z.strictObject({}),
      output: z.strictObject({ n: z.number() }),
      run: () => ({ n: 1 }),
    }),
  ],
});

async function serve(fixture: Fixture, clock: Clock, data: unknown = {}): Promise<[PlainHub, FixtureServer]> {
  const [near, far] = memoryPair();
  const server = new FixtureServer(fixture, far);
  server.bind({ data, clock });
  await server.start();
  return [new PlainHub(near), server];
}

Deno.test("FixtureServer serves an SDK client: it connects, lists and calls", () =>
  sim(async (clock) => {
    const [near, far] = memoryPair();
    const server = new FixtureServer(orders, far);
    server.bind({ clock });
    await server.start();
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new JsonLines(near));
    assert.deepEqual(client.getServerVersion(), { name: "orders", version: "1.0.0", title: "Order desk" });
    assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ["find_order", "refund_status"]);
    const result = await client.callTool({ name: "find_order", arguments: { order_id: "12345" } });
    assert.deepEqual(result, {
      content: [{
        type: "text",
        text: '{"order_id":"12345","customer":"R. Okafor","item":"Solaris ANC headphones","total":"$129.00",' +
          '"charge_count":2,"reference":"ORD-REF-7731"}',
      }],
    });
    await client.close();
    await server.closed;
  }));

Deno.test("FixtureServer answers bad arguments and unknown tools with an error result, as McpServer does", () =>
  sim(async (clock) => {
    const [hub] = await serve(orders, clock);
    const bad = await hub.call("find_order", { order: "12345" });
    assert.deepEqual(bad.result, {
      isError: true,
      content: [{
        type: "text",
        text: "MCP error -32602: Input validation error: Invalid arguments for tool find_order: " +
          'Invalid input: expected string, received undefined at order_id\nUnrecognized key: "order"',
      }],
    });
    const unknown = await hub.call("__proto__", {});
    assert.deepEqual(unknown.result, {
      isError: true,
      content: [{ type: "text", text: "MCP error -32602: Tool __proto__ not found" }],
    });
    await hub.close();
  }));

Deno.test("FixtureServer tells a tool's failure from a defect of its own", () =>
  sim(async (clock) => {
    const [hub] = await serve(probe, clock);
    const failed = await hub.call("fail", {});
    assert.deepEqual(failed.result, { isError: true, content: [{ type: "text", text: "out of stock" }] });
    const defect = await hub.call("fail", { defect: true });
    assert.deepEqual(defect.error, { code: -32603, message: "a defect" });
    await hub.close();
  }));

Deno.test("FixtureServer sends structured content only for a tool with an output schema", () =>
  sim(async (clock) => {
    const [hub] = await serve(probe, clock);
    const typed = await hub.call("typed", {});
    assert.deepEqual(typed.result, { content: [{ type: "text", text: '{"n":1}' }], structuredContent: { n: 1 } });
    await hub.close();
  }));

Deno.test("FixtureServer returns a call's nonce with its result, and with its failure", () =>
  sim(async (clock) => {
    const [hub] = await serve(orders, clock);
    const nonce = (reply: { result?: unknown }) => (reply.result as { _meta?: unknown })._meta;
    const [a, b, bad] = await Promise.all([
      hub.call("find_order", { order_id: "12345" }, { "brownout/nonce": "a", other: 1 }),
      hub.call("find_order", { order_id: "12345" }, { "brownout/nonce": "b" }),
      hub.call("find_order", {}, { "brownout/nonce": "c" }),
    ]);
    assert.deepEqual([a, b, bad].map(nonce), ["a", "b", "c"].map((value) => ({ "brownout/nonce": value })));
    await hub.close();
  }));

Deno.test("FixtureServer ends a waiting tool when its call is cancelled, and answers nothing", () =>
  sim(async (clock) => {
    const [hub] = await serve(probe, clock);
    hub.call("wait", { as: "cancelled" });
    hub.call("wait", { as: "kept" });
    await sleep(clock, 10);
    await hub.notify("notifications/cancelled", { requestId: 1, reason: "enough" });
    await sleep(clock, 10);
    assert.equal(waits.get("cancelled"), "ended early");
    assert.equal(waits.get("kept"), "waiting");
    await sleep(clock, 2000);
    assert.equal(waits.get("kept"), "done");
    assert.deepEqual(hub.received.map((message) => (message as { id: unknown }).id), [2]);
    await hub.close();
  }));

Deno.test("FixtureServer ends its waiting tools when the connection ends", () =>
  sim(async (clock) => {
    const [hub, server] = await serve(probe, clock);
    hub.call("wait", { as: "hung up" });
    await sleep(clock, 10);
    await hub.close();
    await server.closed;
    await sleep(clock, 0);
    assert.equal(waits.get("hung up"), "ended early");
  }));

Deno.test("brownout/reset gives a leased server new data, and no answer of the old cell follows", () =>
  sim(async (clock) => {
    const [hub] = await serve(probe, clock, { ms: 1000 });
    hub.call("wait", { as: "old" });
    await sleep(clock, 10);
    assert.deepEqual((await hub.request("brownout/reset", { data: { ms: 5 } })).result, {});
    assert.deepEqual((await hub.call("wait", { as: "new" })).result, {
      // Time begins again too: how long the process had run is no business of the next cell.
      content: [{ type: "text", text: '{"at":5}' }],
    });
    assert.equal(waits.get("old"), "ended early");
    await sleep(clock, 5000);
    assert.deepEqual(hub.received.map((message) => (message as { id: unknown }).id), [2, 3]);
    await hub.close();
  }));

Deno.test("brownout/reset refuses data that does not fit, keeps the old, and is no tool", () =>
  sim(async (clock) => {
    const [hub] = await serve(probe, clock, { ms: 7 });
    const refused = await hub.request("brownout/reset", { data: { ms: "soon" } });
    assert.equal((refused.error as { code: number }).code, -32602);
    assert.deepEqual((await hub.call("wait", { as: "x" })).result, { content: [{ type: "text", text: '{"at":7}' }] });
    assert.equal(((await hub.call("brownout/reset", {})).result as { isError: boolean }).isError, true);
    await hub.close();
  }));

Deno.test("FixtureServer does not start before it is bound", async () => {
  const [, far] = memoryPair();
  await assert.rejects(new FixtureServer(orders, far).start(), /bind/);
});
