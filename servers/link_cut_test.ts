/** A hub that dies with its process: its connections end, and the server lives on. */
import assert from "node:assert/strict";
import { ClosedError, encodeLine, memoryPair } from "../core/mod.ts";
import type { FaultEntry } from "./faults/fault.ts";
import { FaultLink } from "./injector.ts";
import { sim } from "./testing.ts";
import type { WorldEvent } from "./world_event.ts";

const CALL = encodeLine({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", arguments: {} } });
const REPLY = encodeLine({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "ok" }] } });

/** A link to a server that only takes notes, and that can be cut by whoever is told of an event. */
function rig(faults: readonly FaultEntry[], clock: Parameters<Parameters<typeof sim>[0]>[0], cutAt?: string) {
  const events: string[] = [];
  const server = { heard: 0, answer: (): void => {}, end: (): void => {} };
  const link = new FaultLink({
    server: "bare",
    connect: () => {
      const [near, far] = memoryPair();
      far.open({ bytes: () => server.heard++, closed: () => {} });
      server.answer = () => far.write(REPLY);
      server.end = () => void far.close();
      return near;
    },
  });
  const observer = ({ type }: WorldEvent) => {
    events.push(type);
    if (type === cutAt) link.cut();
  };
  link.bind({ faults, clock, seed: "1", observer });
  return { link, events, server };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await null;
}

Deno.test("FaultLink.cut() ends the connection at once, and the next one is another attempt of the same cell", () =>
  sim(async (clock) => {
    const { link, events, server } = rig([], clock);
    const hub = await link.open();
    let closed = false;
    hub.open({ bytes: () => assert.fail("nothing reaches a dead hub"), closed: () => closed = true });
    hub.write(CALL);
    await settle();
    link.cut();
    assert.deepEqual(events, ["connect", "request", "close"]);
    assert.throws(server.answer, ClosedError);
    await settle();
    assert.ok(closed);
    const next = await link.open();
    next.open({ bytes: () => {}, closed: () => {} });
    next.write(CALL);
    await settle();
    server.answer();
    await settle();
    assert.deepEqual(events.slice(3), ["connect", "request", "reply"]);
    assert.equal(server.heard, 2);
    await link.close();
  }));

Deno.test("FaultLink.cut() by whoever is told of a request keeps it from the server, whatever faults it would meet", () =>
  sim(async (clock) => {
    for (const faults of [[], [{ fault: "tool_error", at: "bare", message: "no" }]]) {
      const { link, events, server } = rig(faults, clock, "request");
      const hub = await link.open();
      hub.open({ bytes: () => assert.fail("nothing reaches a dead hub"), closed: () => {} });
      hub.write(CALL);
      await settle();
      assert.deepEqual(events, ["connect", "request", "close"]);
      assert.equal(server.heard, 0);
      await link.close();
    }
  }));

Deno.test("FaultLink.cut() while a connection is being made leaves none behind, and nothing is told of it", () =>
  sim(async (clock) => {
    const { link, events } = rig([], clock, "connect");
    await assert.rejects(link.open(), ClosedError);
    assert.deepEqual(events, ["connect"]);
    const slow = rig([{ fault: "black_hole", at: "bare" }], clock);
    const opening = slow.link.open();
    slow.link.cut();
    await assert.rejects(opening, ClosedError);
    assert.deepEqual(slow.events, []);
    await Promise.all([link.close(), slow.link.close()]);
  }));

Deno.test("FaultLink.hasHungUp tells a fault's end of the connection from the server's own, as soon as there is one", () =>
  sim(async (clock) => {
    const CRASH = [{ fault: "crash", at: "bare" }];
    const cases = [
      { does: ["answer", "end"], faults: CRASH, hungUp: true },
      { does: ["end"], faults: CRASH, hungUp: false },
      { does: ["answer", "end"], faults: [], hungUp: false },
      { does: ["answer", "end"], faults: [{ fault: "tool_error", at: "bare" }], hungUp: false },
    ] as const;
    for (const { does, faults, hungUp } of cases) {
      const { link, server } = rig(faults, clock);
      assert.equal(link.hasHungUp, false);
      const hub = await link.open();
      const closed = Promise.withResolvers<boolean>();
      hub.open({ bytes: () => {}, closed: () => closed.resolve(link.hasHungUp) });
      hub.write(CALL);
      await settle();
      // The server has ended before anybody hears its answer.
      for (const deed of does) server[deed]();
      await link.settled();
      assert.equal(link.hasHungUp, hungUp, "when nothing is owed any more");
      assert.equal(await closed.promise, hungUp, "when the hub hears of it");
      await link.close();
      assert.equal(link.hasHungUp, hungUp, "when all is over");
    }
  }));
