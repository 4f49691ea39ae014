// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type ByteConnection, type Clock, JsonLines, memoryPair, RealClock, sleep } from "../core/mod.ts";
import { z } from "zod";
import { defineFault, type Fault, type FaultEntry, type FaultHooks } from "./faults/fault.ts";
import { FAULTS } from "./faults/registry.ts";
import { FaultLink } from "./injector.ts";
import { PlainHub, sim, spawnServe, World } from "./testing.ts";
import type { WorldEvent } from "./world_event.ts";
import assert from "node:assert/strict";

const ORDER = { order_id: "12345" };

/** A link to a server that the test plays itself. */
async function bare(clock: Clock, faults: readonly FaultEntry[] = [], ...catalogue: readonly Fault[]) {
  const [near, far] = memoryPair();
  const events: WorldEvent[] = [];
  const known = new Map([...FAULTS, ...catalogue.map((fault) => [fault.id, fault] as const)]);
  const link = new FaultLink({ server: "bare", connect: () => near, catalogue: known });
  link.bind({ faults, clock, seed: "1", observer: (event) => events.push(event) });
  const hub = await link.open();
  return { link, hub, far, events, atServer: reader(far), atHub: reader(hub) };
}

/** Reads a connection, and gives what has arrived as text of one byte a character, so that nothing is lost. */
function reader(connection: ByteConnection): { text: string; closed: boolean } {
  const read = { text: "", closed: false };
  connection.open({
    bytes: (chunk) => read.text += String.fromCharCode(...chunk),
    closed: () => read.closed = true,
  });
  return read;
}

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const call = (id: number, tool = "t") =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":{"n":1}}}\n`;
const reply = (id: number, text = "ok") =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}\n`;
const cancel = (id: number) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`;

/** A fault for what those of the catalogue do not do yet. */
function fault(hooks: FaultHooks<{ ms: number }>): Fault {
  return defineFault({
    id: "test_fault",
    layer: "protocol",
    visibility: "explicit",
    summary: "A test.",
    correct: "Pass it.",
    outcome: "ok",
    lanes: { sim: true, wire: true },
    params: z.strictObject({ ms: z.number().default(100) }),
    hooks,
  });
}
const AT_BARE = { fault: "test_fault", at: "bare" };

Deno.test("FaultLink is no obstacle to an SDK client, and records its calls", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders");
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new JsonLines(await world.link.open()));
    assert.equal((await client.listTools()).tools.length, 2);
    await client.callTool({ name: "refund_status", arguments: { order_id: "1" }, _meta: { span: "run/billing" } });
    await client.close();
    await world.link.close();
    const of = { tool: "refund_status", call: 1 };
    assert.deepEqual(world.seen("connect", "request", "reply", "fault", "close", "bad_line"), [
      { type: "connect", attempt: 1, ok: true },
      { type: "request", ...of, args: { order_id: "1" }, meta: { span: "run/billing" } },
      { type: "reply", ...of, isError: false, text: '{"order_id":"1","found":false}' },
      { type: "close", by: "hub" },
    ]);
  }));

Deno.test("FaultLink passes what it does not change as the same bytes, however they are cut", () =>
  sim(async (clock) => {
    const { link, hub, far, atServer, atHub, events } = await bare(clock);
    const out = [
      '{ "jsonrpc": "2.0", "method":"notifications/initialized" }\r\n',
      call(1),
      "not json\n",
      "\n",
      "[1]\n",
    ];
    for (const line of out) hub.write(bytes(line));
    const back = ['{"id" :1, "result":{ "content" : [] } , "jsonrpc":"2.0"}\n', 'noise \xff\xfe {"a":\n', "unfinished"];
    for (const char of back.join("")) far.write(bytes(char));
    await sleep(clock, 0);
    assert.equal(atServer.text, out.join(""));
    far.close();
    await sleep(clock, 0);
    assert.equal(atHub.text, back.join(""));
    assert.equal(atHub.closed, true);
    await link.close();
    assert.deepEqual(events.filter(({ type }) => type === "bad_line"), [
      { type: "bad_line", server: "bare", from: "hub", head: "not json" },
      { type: "bad_line", server: "bare", from: "hub", head: "[1]" },
      { type: "bad_line", server: "bare", from: "server", head: 'noise \ufffd\ufffd {"a":' },
    ]);
    assert.deepEqual(events.at(-1), { type: "close", server: "bare", by: "server" });
  }));

Deno.test("FaultLink records an error of the protocol with its code", () =>
  sim(async (clock) => {
    const { link, hub, far, events } = await bare(clock);
    hub.write(bytes(call(7)));
    await sleep(clock, 0);
    far.write(bytes('{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"boom"}}\n'));
    await sleep(clock, 0);
    assert.deepEqual(events.at(-1), {
      type: "reply",
      server: "bare",
      tool: "t",
      call: 1,
      isError: true,
      text: "boom",
      error: { code: -32603, message: "boom" },
    });
    await link.close();
  }));

Deno.test("FaultLink numbers calls per tool from 1, and each fault counts the calls that it covers", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [
      { fault: "tool_error", at: "orders", message: "third on the server", when: { calls: [3] } },
      { fault: "tool_error", at: "orders.refund_status", message: "second of the tool", when: { calls: [2] } },
      { fault: "tool_error", at: "orders2.refund_status" },
      { fault: "tool_error", at: "orders.refund" },
    ]);
    const hub = await world.hub();
    for (const tool of ["find_order", "refund_status", "find_order", "refund_status"]) await hub.call(tool, ORDER);
    assert.deepEqual(world.seen("request").map(({ tool, call }) => `${tool} ${call}`), [
      "find_order 1",
      "refund_status 1",
      "find_order 2",
      "refund_status 2",
    ]);
    assert.deepEqual(world.seen("reply").map(({ isError, text }) => isError ? text : "ok"), [
      "ok",
      "ok",
      "third on the server",
      "second of the tool",
    ]);
    await world.link.close();
  }));

Deno.test("FaultLink chains faults in the order in which they are listed", () =>
  sim(async (clock) => {
    const first = { fault: "tool_error", at: "orders", message: "first" };
    const second = { fault: "error_in_band", at: "orders", message: "second" };
    const slow = { fault: "latency", at: "orders", ms: 100 };
    for (
      const [faults, text] of [[[slow, first, second], '{"error":"second"}'], [[second, slow, first], "first"]] as const
    ) {
      const world = new World(clock, "orders", faults);
      const hub = await world.hub();
      const before = clock.now();
      await hub.call("find_order", ORDER);
      assert.equal(clock.now() - before, 100);
      assert.deepEqual(world.seen("reply").map((event) => event.text), [text]);
      assert.deepEqual(world.seen("fault").map(({ fault }) => fault), faults.map(({ fault }) => fault));
      await world.link.close();
    }
  }));

Deno.test("FaultLink does not say that a fault fired when it found nothing to do", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [
      { fault: "latency", at: "orders", ms: 0 },
      { fault: "tool_error", at: "orders", when: { from: 1000 } },
    ]);
    const hub = await world.hub();
    await hub.call("find_order", ORDER);
    assert.deepEqual(world.seen("fault"), []);
    await sleep(clock, 1000);
    await hub.call("find_order", ORDER);
    assert.deepEqual(world.seen("fault").map(({ call }) => call), [2]);
    await world.link.close();
  }));

Deno.test("FaultLink delivers a reply that comes after the cancellation, as the server sent it", () =>
  sim(async (clock) => {
    const { link, hub, far, atServer, atHub, events } = await bare(clock, [{ fault: "latency", at: "bare", ms: 100 }]);
    hub.write(bytes(call(1)));
    await sleep(clock, 0);
    far.write(bytes(reply(1)));
    await sleep(clock, 50);
    hub.write(bytes(cancel(1)));
    await sleep(clock, 100);
    assert.equal(atServer.text, call(1) + cancel(1));
    assert.equal(atHub.text, reply(1));
    assert.deepEqual(events.map(({ type }) => type), ["connect", "request", "fault", "cancelled", "reply"]);
    await link.close();
  }));

Deno.test("FaultLink leaves no timer and lets nothing happen after the hub has closed", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "latency", at: "orders", ms: 60_000 }]);
    const hub = await world.hub();
    hub.call("find_order", ORDER);
    await sleep(clock, 10);
    assert.equal(clock.pending, 1);
    await hub.close();
    await world.link.close();
    await sleep(clock, 0);
    assert.equal(clock.pending, 0);
    assert.deepEqual(world.events.at(-1), { type: "close", server: "orders", by: "hub" });
    assert.equal(hub.received.length, 0);
  }));

Deno.test("FaultLink closes both sides when the bench ends the cell", () =>
  sim(async (clock) => {
    const { link, atServer, atHub, events } = await bare(clock);
    await link.close();
    await sleep(clock, 0);
    assert.deepEqual([atServer.closed, atHub.closed], [true, true]);
    assert.deepEqual(events.at(-1), { type: "close", server: "bare", by: "bench" });
    await link.close();
    assert.equal(events.filter(({ type }) => type === "close").length, 1);
  }));

Deno.test("FaultLink bound again begins anew: ordinals, draws, attempts and events", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders");
    const faults = [
      { fault: "tool_error", at: "orders", when: { probability: 0.5 } },
      { fault: "latency", at: "orders", ms: 500, jitter: 400 },
    ];
    const cell = async () => {
      world.bind(faults, "seed");
      const start = clock.now();
      const hub = await world.hub();
      for (let i = 0; i < 12; i++) await hub.call("find_order", ORDER);
      await world.link.close();
      return { events: [...world.events], took: Math.round(clock.now() - start) };
    };
    const first = await cell();
    assert.deepEqual(await cell(), first);
    const failed = first.events.filter((event) => event.type === "reply" && event.isError).length;
    assert.ok(failed > 0 && failed < 12);
  }));

Deno.test("FaultLink's random numbers do not depend on other faults or on the order of replies", () =>
  sim(async (clock) => {
    const flaky = { fault: "tool_error", at: "orders", when: { probability: 0.5 } };
    const struck = async (faults: readonly FaultEntry[], seed: string) => {
      const world = new World(clock, "orders", faults, seed);
      const hub = await world.hub();
      await Promise.all(Array.from({ length: 20 }, () => hub.call("find_order", ORDER)));
      await world.link.close();
      return world.seen("fault").filter(({ fault }) => fault === "tool_error").map(({ call }) => Number(call)).sort((
        a,
        b,
      ) => a - b);
    };
    const alone = await struck([flaky], "a");
    assert.deepEqual(await struck([{ fault: "latency", at: "orders", jitter: 900 }, flaky], "a"), alone);
    assert.notDeepEqual(await struck([flaky], "b"), alone);
    const fixed = { ...flaky, when: { probability: 0.5, seed: 7 } };
    assert.deepEqual(await struck([fixed], "a"), await struck([fixed], "b"));
  }));

Deno.test("FaultLink refuses to be bound while a connection is open, to be opened unbound, and unknown faults", async () => {
  const [near] = memoryPair();
  const link = new FaultLink({ server: "x", connect: () => near });
  await assert.rejects(link.open(), /bind/);
  const clock = { kind: "real", now: () => 0, after: () => ({ cancel() {} }) } as const;
  const binding = { clock, seed: "", observer: () => {} };
  assert.throws(() => link.bind({ ...binding, faults: [{ fault: "constructor", at: "x" }] }), RangeError);
  assert.throws(() => link.bind({ ...binding, faults: [{ fault: "latency", at: "x", mss: 1 }] }), { name: "ZodError" });
  link.bind({ ...binding, faults: [] });
  await link.open();
  assert.throws(() => link.bind({ ...binding, faults: [] }), /close the link/);
  await link.close();
  link.bind({ ...binding, faults: [] });
});

Deno.test("FaultLink passes on why a real connection failed, and records that it did", () =>
  sim(async (clock) => {
    const events: WorldEvent[] = [];
    const connect = () => Promise.reject(new Error("no such program"));
    const link = new FaultLink({ server: "x", connect });
    link.bind({ faults: [], clock, seed: "1", observer: (event) => events.push(event) });
    await assert.rejects(link.open(), /no such program/);
    assert.deepEqual(events, [{ type: "connect", server: "x", attempt: 1, ok: false }]);
  }));

Deno.test("FaultLink serves several connections at once, with ids of their own", () =>
  sim(async (clock) => {
    const world = new World(clock, "orders", [{ fault: "tool_error", at: "orders", when: { calls: [2] } }]);
    const [a, b] = [await world.hub(), await world.hub()];
    const replies = await Promise.all([a.call("find_order", ORDER), b.call("find_order", ORDER)]);
    assert.deepEqual(replies.map(({ id }) => id), [1, 1]);
    assert.deepEqual(world.seen("reply").map(({ call, isError }) => [call, isError]), [[1, false], [2, true]]);
    await a.close();
    assert.equal((await b.call("find_order", ORDER)).error, undefined);
    await world.link.close();
  }));

Deno.test("a fault may put another request in a call's place, and the world still records what the hub sent", () =>
  sim(async (clock) => {
    const other = fault({
      request: (message) => ({ do: "replace", message: { ...message, params: { ...message.params, name: "other" } } }),
    });
    const { link, hub, atServer, events } = await bare(clock, [AT_BARE], other);
    hub.write(bytes(call(1)));
    await sleep(clock, 0);
    assert.equal(atServer.text, call(1, "other"));
    assert.deepEqual(events.map((event) => event.type === "request" ? event.tool : event.type), [
      "connect",
      "t",
      "fault",
    ]);
    await link.close();
  }));

Deno.test("a fault may answer in the server's stead, and what other faults do to replies they do to this one", () =>
  sim(async (clock) => {
    const refuse = fault({
      request: ({ id }) => ({
        do: "answer",
        reply: { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } },
      }),
    });
    const slow = { fault: "latency", at: "bare", ms: 70 };
    const { link, hub, atServer, atHub, events } = await bare(clock, [slow, AT_BARE], refuse);
    hub.write(bytes(call(5)));
    await sleep(clock, 69);
    assert.equal(atHub.text, "");
    await sleep(clock, 1);
    assert.equal(atHub.text, '{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found"}}\n');
    assert.equal(atServer.text, "");
    assert.equal(events.at(-1)?.type, "reply");
    await link.close();
  }));

Deno.test("a fault may lose a reply: the server has acted, and the hub hears nothing", () =>
  sim(async (clock) => {
    const { link, hub, far, atServer, atHub, events } = await bare(
      clock,
      [AT_BARE],
      fault({ reply: () => ({ do: "drop" }) }),
    );
    hub.write(bytes(call(1)));
    await sleep(clock, 0);
    far.write(bytes(reply(1)));
    hub.write(bytes(cancel(1)));
    await sleep(clock, 0);
    assert.equal(atServer.text, call(1) + cancel(1));
    assert.equal(atHub.text, "");
    assert.deepEqual(events.map(({ type }) => type).sort(), ["cancelled", "connect", "fault", "request"]);
    await link.close();
  }));

Deno.test("a cancellation never overtakes a request that a fault holds back", () =>
  sim(async (clock) => {
    const hold = fault({ request: (_message, { clock, params, signal }) => sleep(clock, params.ms, signal) });
    const { link, hub, atServer, events } = await bare(clock, [{ ...AT_BARE, ms: 50 }], hold);
    hub.write(bytes(call(1)));
    hub.write(bytes(cancel(1)));
    hub.write(bytes(cancel(99)));
    await sleep(clock, 49);
    assert.equal(atServer.text, cancel(99));
    assert.deepEqual(events.map(({ type }) => type), ["connect", "request", "fault", "cancelled"]);
    await sleep(clock, 1);
    assert.equal(atServer.text, cancel(99) + call(1) + cancel(1));
    await link.close();
  }));

Deno.test("a fault that throws is an error of the bench, and the message passes", () =>
  sim(async (clock) => {
    const broken = fault({
      request() {
        throw new TypeError("at once");
      },
      reply: () => Promise.reject(new TypeError("later")),
    });
    const { link, hub, far, atHub, events } = await bare(clock, [AT_BARE], broken);
    hub.write(bytes(call(1)));
    await sleep(clock, 0);
    far.write(bytes(reply(1)));
    await sleep(clock, 0);
    assert.equal(atHub.text, reply(1));
    const place = { type: "fault_broke", server: "bare", fault: "test_fault", at: "bare", tool: "t", call: 1 };
    assert.deepEqual(events.filter(({ type }) => type === "fault_broke"), [
      { ...place, message: "TypeError: at once" },
      { ...place, message: "TypeError: later" },
    ]);
    await link.close();
  }));

Deno.test("a connection that a fault delays comes to nothing if the cell ends meanwhile", () =>
  sim(async (clock) => {
    const [near] = memoryPair();
    const slow = fault({ connect: ({ clock, params, signal }) => sleep(clock, params.ms, signal) });
    const link = new FaultLink({ server: "bare", connect: () => near, catalogue: new Map([[slow.id, slow]]) });
    link.bind({ faults: [{ ...AT_BARE, ms: 1000 }], clock, seed: "1", observer: () => {} });
    const opened = assert.rejects(link.open(), { name: "ClosedError" });
    await sleep(clock, 10);
    await link.close();
    await opened;
    assert.equal(clock.pending, 0);
  }));

Deno.test("FaultLink records the same events around a child process as around a fixture in memory", async () => {
  const faults = [
    { fault: "tool_error", at: "orders.refund_status", when: { first: 1 } },
    { fault: "black_hole", at: "orders.find_order", when: { calls: [2] } },
  ];
  const script = async (hub: PlainHub) => {
    await hub.call("find_order", ORDER, { span: "a" });
    hub.call("find_order", ORDER);
    await hub.notify("notifications/cancelled", { requestId: hub.lastId });
    await hub.call("refund_status", ORDER);
    await hub.call("refund_status", { order_id: 1 });
    await hub.close();
  };
  let inMemory: WorldEvent[] = [];
  await sim(async (clock) => {
    const world = new World(clock, "orders", faults);
    await script(await world.hub());
    await world.link.close();
    inMemory = world.events;
  });
  const events: WorldEvent[] = [];
  const child = spawnServe(["orders"]);
  const link = new FaultLink({ server: "orders", connect: () => child });
  link.bind({ faults, clock: new RealClock(), seed: "1", observer: (event) => events.push(event) });
  await script(new PlainHub(await link.open()));
  await link.close();
  assert.deepEqual(await child.exited, { code: 0, signal: null });
  assert.equal(inMemory.length, 12);
  assert.deepEqual(events, inMemory);
});
