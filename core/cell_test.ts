import assert from "node:assert/strict";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/server"
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/types"
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { bookkeeping, cells, inCell } from "./cell.ts";
import { sleep } from "./clock.ts";
import { JsonLines } from "./framing.ts";
import { guardGlobals } from "./guard.ts";
import { memoryPair } from "./pipe.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** Runs a guarded cell. */
async function cell<T>(main: (clock: VirtualClock) => Promise<T> | T): Promise<T> {
  using _guard = guardGlobals();
  const clock = new VirtualClock();
  return await clock.run(() => inCell(clock, () => main(clock)));
}

type SdkTransport = Parameters<Client["connect"]>[0];

/** A client of a server whose one tool takes 10 minutes. */
async function connected(clock: VirtualClock): Promise<Client> {
  const [here, there] = memoryPair();
  const server = new Server({ name: "slow", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, async () => {
    await sleep(clock, 600_000);
    return { content: [{ type: "text", text: "at last" }] };
  });
  const client = new Client({ name: "hub", version: "1" });
  await server.connect(new JsonLines(there) as SdkTransport);
  await bookkeeping(() => client.connect(new JsonLines(here) as SdkTransport, { timeout: 1 }));
  return client;
}

Deno.test("bookkeeping keeps the SDK's request timeout from deciding anything", () =>
  cell(async (clock) => {
    const client = await connected(clock);
    const result = await bookkeeping(() => client.callTool({ name: "slow" }, undefined, { timeout: 1 }));
    assert.deepEqual(result.content, [{ type: "text", text: "at last" }]);
    assert.equal(clock.now(), 600_000);
    await client.close();
  }));

Deno.test("bookkeeping is not needed for the SDK: its calls are known by their place on the stack", () =>
  cell(async (clock) => {
    const client = await connected(clock);
    assert.deepEqual(await client.ping({ timeout: 1 }), {});
    const result = await client.callTool({ name: "slow" }, undefined, { timeout: 1, maxTotalTimeout: 1 });
    assert.deepEqual(result.content, [{ type: "text", text: "at last" }]);
    assert.equal(clock.now(), 600_000);
    await client.close();
  }));

Deno.test("bookkeeping leaves a deadline on the clock in charge", () =>
  cell(async (clock) => {
    const client = await connected(clock);
    const limit = new AbortController();
    clock.after(2_000, () => limit.abort(new Error("deadline")));
    await assert.rejects(client.callTool({ name: "slow" }, undefined, { signal: limit.signal }), /deadline/);
    assert.equal(clock.now(), 2_000);
    await client.close();
  }));

Deno.test("bookkeeping gives dead timers and virtual time", () =>
  cell(async (clock) => {
    await sleep(clock, 5);
    const handle = bookkeeping(() => {
      assert.equal(Date.now(), 5);
      assert.equal(new Date().getTime(), 5);
      clearInterval(setInterval(() => assert.fail("fired"), 0));
      return setTimeout(() => assert.fail("fired"), 0);
    });
    assert.equal(handle.unref().hasRef(), false);
    clearTimeout(handle);
    await sleep(clock, 1);
  }));

Deno.test("bookkeeping ends with the call, whether it returns or throws, and nests", () =>
  cell(() => {
    bookkeeping(() => {
      assert.throws(() => bookkeeping(() => assert.fail("inner")), /inner/);
      assert.equal(bookkeeping(() => Date.now()), 0);
      assert.equal(Date.now(), 0);
    });
    assert.throws(() => bookkeeping(() => assert.fail("outer")), /outer/);
    assert.equal(bookkeeping(() => Date.now()), 0);
  }));

for (
  const [what, late] of Object.entries(
    {
      "Date.now": () => (bookkeeping(() => {}), Date.now()),
      "setTimeout": () => {
        try {
          bookkeeping(() => assert.fail());
        } catch {
          // Only the window's end matters.
        }
        setTimeout(() => {}, 0);
      },
      "new Date()": () =>
        bookkeeping(async () => {
          await null;
          new Date();
        }),
      "Math.random": () => bookkeeping(() => Math.random()),
      "setImmediate": () => bookkeeping(() => setImmediate(() => {})),
    } satisfies Record<string, () => unknown>,
  )
) {
  Deno.test(`bookkeeping does not excuse ${what} after the call, after its first await, or beside the books`, async () => {
    await assert.rejects(cell(() => late() as Promise<void>), { name: "StrayError", what });
  });
}

Deno.test("bookkeeping changes nothing outside a cell", async () => {
  using _guard = guardGlobals();
  assert(bookkeeping(() => Date.now()) > 1e12);
  await new Promise<void>((resolve) => bookkeeping(() => setTimeout(resolve, 0)));
});

Deno.test("inCell covers what follows from the work, and nothing else", async () => {
  const clock = new VirtualClock();
  const inside = inCell(clock, async () => {
    await null;
    return cells.getStore();
  });
  assert.equal(cells.getStore(), undefined);
  assert.equal(await inside, clock);
  assert.equal(cells.getStore(), undefined);
});
