/** Framing on the way through a link: what is cut, glued, flooded or far too long, byte for byte. */
import {
  type ByteConnection,
  type Clock,
  encodeLine,
  LineSplitter,
  MAX_LINE_BYTES,
  memoryPair,
  sleep,
} from "../core/mod.ts";
import { z } from "zod";
import { defineFault, type Fault, type FaultEntry } from "./faults/fault.ts";
import { FAULTS } from "./faults/registry.ts";
import { FaultLink } from "./injector.ts";
import { type Fields, isFields } from "./jsonrpc.ts";
import { sim } from "./testing.ts";
import type { WorldEvent } from "./world_event.ts";
import assert from "node:assert/strict";

const TEXT = "ü€😀 – naïve 漢字";
const CALL = encodeLine({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", arguments: {} } });
const REPLY = encodeLine({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: TEXT }] } });

/** A link to a server that the test plays itself, and a hub that reads its lines. */
async function rig(clock: Clock, faults: readonly FaultEntry[] = [], own?: Fault) {
  const [near, far] = memoryPair();
  const events: WorldEvent[] = [];
  const catalogue = own === undefined ? FAULTS : new Map([[own.id, own]]);
  const link = new FaultLink({ server: "bare", connect: () => near, catalogue });
  link.bind({ faults, clock, seed: "1", observer: (event) => events.push(event) });
  const hub = await link.open();
  const seen = {
    lines: new Array<string>(),
    overlong: 0,
    truncated: new Array<string>(),
    chunks: 0,
    bytes: 0,
    closed: false,
  };
  const splitter = new LineSplitter({
    line: (text) => seen.lines.push(text),
    overlong: () => seen.overlong++,
    truncated: (text) => seen.truncated.push(text),
  });
  hub.open({
    bytes: (chunk) => {
      seen.chunks++;
      seen.bytes += chunk.length;
      splitter.push(chunk);
    },
    closed: () => {
      splitter.end();
      seen.closed = true;
    },
  });
  far.open({ bytes: () => {}, closed: () => {} });
  return { link, hub, far, seen, events };
}

const textIn = (line: string | undefined): unknown => {
  const message: Fields = JSON.parse(line ?? "{}");
  const result = isFields(message.result) ? message.result : {};
  return Array.isArray(result.content) ? result.content[0].text : undefined;
};
const replies = (events: readonly WorldEvent[]) => events.filter(({ type }) => type === "reply").length;

async function write(far: ByteConnection, ...chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) far.write(chunk);
  // Microtasks only: no time passes.
  for (let i = 0; i < 20; i++) await null;
}

Deno.test("a reply cut in two at any byte comes through a link as the same bytes, multi-byte characters whole", () =>
  sim(async (clock) => {
    for (let cut = 1; cut < REPLY.length; cut++) {
      const { link, hub, far, seen } = await rig(clock);
      hub.write(CALL);
      await write(far, REPLY.slice(0, cut), REPLY.slice(cut));
      assert.deepEqual(seen.lines.map(textIn), [TEXT], `cut at byte ${cut}`);
      await link.close();
    }
  }));

Deno.test("a reply that split_bytes cuts, at every size, is whole and recorded as one", () =>
  sim(async (clock) => {
    for (let size = 1; size < REPLY.length; size++) {
      const { link, hub, far, seen, events } = await rig(clock, [{ fault: "split_bytes", at: "bare", size }]);
      hub.write(CALL);
      await write(far);
      await write(far, REPLY);
      assert.equal(seen.chunks, Math.ceil(REPLY.length / size));
      assert.deepEqual(seen.lines.map(textIn), [TEXT]);
      assert.equal(replies(events), 1);
      await link.close();
    }
  }));

Deno.test("a reply that cut_body cuts, at every byte, is no reply: half a line, the end, and no event of one", () =>
  sim(async (clock) => {
    for (let bytes = 0; bytes < REPLY.length; bytes++) {
      const { link, hub, far, seen, events } = await rig(clock, [{ fault: "cut_body", at: "bare", bytes }]);
      hub.write(CALL);
      await write(far);
      await write(far, REPLY);
      await sleep(clock, 0);
      assert.deepEqual([seen.bytes, seen.lines.length, seen.closed], [bytes, 0, true], `cut at byte ${bytes}`);
      assert.equal(replies(events), 0);
      await link.close();
    }
  }));

for (
  const [where, faults] of [["the server's", []], ["a fault's", [{
    fault: "oversized_line",
    at: "bare",
    bytes: 50_000_000,
  }]]] as const
) {
  Deno.test(`${where} 50 MB line passes a link that never holds more than its cap, and the next line is read`, () =>
    sim(async (clock) => {
      const { link, hub, far, seen, events } = await rig(clock, faults);
      hub.write(CALL);
      await write(far);
      // A megabyte at a time, made once: what is held is what the link keeps, and is counted at the hub's end.
      const chunk = new Uint8Array(1_000_000).fill(120);
      let mostHeld = 0;
      if (faults.length === 0) {
        for (let sent = 1; sent <= 50; sent++) {
          await write(far, chunk);
          mostHeld = Math.max(mostHeld, sent * chunk.length - seen.bytes);
        }
        await write(far, Uint8Array.of(10));
      } else await write(far, REPLY);
      await sleep(clock, 0);
      assert.ok(mostHeld <= MAX_LINE_BYTES, `${mostHeld} bytes were held`);
      assert.ok(seen.bytes > 50_000_000);
      assert.equal(seen.overlong, 1);
      await write(far, encodeLine({ jsonrpc: "2.0", method: "notifications/message" }));
      assert.equal(seen.lines.length, 1);
      assert.equal(replies(events), 0);
      await link.close();
    }));
}

Deno.test("a thousand notifications between two replies cost neither", () =>
  sim(async (clock) => {
    const { link, hub, far, seen, events } = await rig(clock, [
      { fault: "notification_flood", at: "bare", count: 1000, when: { calls: [2] } },
    ]);
    for (const id of [1, 2]) {
      hub.write(encodeLine({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t" } }));
      await write(far);
      await write(far, encodeLine({ jsonrpc: "2.0", id, result: { content: [] } }));
    }
    const ids = seen.lines.map((line) => JSON.parse(line).id ?? "-");
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [1002, 1, 2]);
    assert.equal(replies(events), 2);
    await link.close();
  }));

Deno.test("carriage returns, byte order marks and blank lines pass a link, and its faults put them in", () =>
  sim(async (clock) => {
    const odd = new TextEncoder().encode(`\r\n\n \n\ufeff${new TextDecoder().decode(REPLY).trimEnd()}\r\n`);
    const plain = await rig(clock);
    plain.hub.write(CALL);
    await write(plain.far, odd);
    assert.equal(plain.seen.bytes, odd.length);
    assert.equal(replies(plain.events), 1, "the link reads it all the same");
    await plain.link.close();
    for (const [fault, bytes] of [["crlf", 1], ["bom", 3], ["stdout_noise", 4]] as const) {
      const params = fault === "stdout_noise" ? { text: "", lines: 4 } : {};
      const { link, hub, far, seen, events } = await rig(clock, [{ fault, at: "bare", ...params }]);
      hub.write(CALL);
      await write(far);
      await write(far, REPLY);
      assert.equal(seen.bytes, REPLY.length + bytes, fault);
      assert.equal(textIn(seen.lines.at(-1)), TEXT, fault);
      assert.equal(replies(events), 1, fault);
      await link.close();
    }
  }));

Deno.test("nothing comes between the pieces of a line that drips", () =>
  sim(async (clock) => {
    const { link, hub, far, seen } = await rig(clock, [
      { fault: "slow_drip", at: "bare", size: 10, pause: 50, when: { calls: [1] } },
    ]);
    for (const id of [1, 2]) hub.write(encodeLine({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t" } }));
    await write(far);
    await write(far, REPLY, encodeLine({ jsonrpc: "2.0", id: 2, result: { content: [] } }));
    assert.equal(seen.bytes, 10);
    await sleep(clock, 50 * REPLY.length);
    assert.deepEqual(seen.lines.map((line) => JSON.parse(line).id), [1, 2]);
    await link.close();
  }));

Deno.test("two faults of bytes act one on what the other made, and after those of messages", () =>
  sim(async (clock) => {
    const noise = { fault: "stdout_noise", at: "bare", text: "n" };
    const split = { fault: "split_bytes", at: "bare", size: 4 };
    const failed = { fault: "tool_error", at: "bare", message: "no" };
    const { link, hub, far, seen, events } = await rig(clock, [noise, split, failed]);
    hub.write(CALL);
    await write(far);
    await write(far, REPLY);
    assert.equal(seen.lines[0], "n");
    assert.equal(textIn(seen.lines[1]), "no");
    assert.ok(seen.chunks > 10);
    const fired = events.flatMap((event) => event.type === "fault" ? [event.fault] : []);
    assert.deepEqual(fired, ["tool_error", "stdout_noise", "split_bytes"]);
    await link.close();
  }));

Deno.test("a script that throws in its middle is an error of the bench, and what comes after it still passes", () =>
  sim(async (clock) => {
    const broken = defineFault({
      ...{ id: "broken", layer: "protocol", visibility: "explicit", summary: "", correct: "", outcome: "ok" },
      params: z.strictObject({}),
      hooks: {
        *bytes(line) {
          yield line;
          throw new TypeError("in the middle");
        },
      },
    });
    const { link, hub, far, seen, events } = await rig(clock, [{ fault: "broken", at: "bare" }], broken);
    for (const id of [1, 2]) hub.write(encodeLine({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t" } }));
    await write(far);
    await write(far, REPLY, encodeLine({ jsonrpc: "2.0", id: 2, result: { content: [] } }));
    assert.equal(seen.lines.length, 2);
    assert.equal(events.filter(({ type }) => type === "fault_broke").length, 2);
    await link.close();
  }));
