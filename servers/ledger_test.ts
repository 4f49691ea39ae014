import { memoryPair, sleep } from "../core/mod.ts";
import { z } from "zod";
import { defineFixture, type Fixture, ToolFailure } from "./fixture.ts";
import { FixtureServer } from "./fixture_server.ts";
import { outbox } from "./fixtures/outbox.ts";
import type { Fields } from "./jsonrpc.ts";
import { type LedgerEntry, repeatedEffects } from "./ledger.ts";
import { PlainHub, sim } from "./testing.ts";
import assert from "node:assert/strict";

const MESSAGE = { to: "a@example.com", subject: "s", body: "b" };

/** A fixture whose one tool ends in whatever way it is told. */
const ends = defineFixture({
  id: "ends",
  version: "1.0.0",
  title: "Ends",
  data: z.strictObject({}),
  tools: (tool) => [
    tool({
      name: "end",
      description: "Ends.",
      input: z.strictObject({ how: z.enum(["answer", "later", "fail", "fail later", "break"]) }),
      async run({ how }, { clock, signal, effect }) {
        effect({ kind: "begun", key: null, detail: { how } });
        if (how.endsWith("later")) await sleep(clock, 100, signal);
        if (how.startsWith("fail")) throw new ToolFailure({ error: "told_to" });
        if (how === "break") throw new TypeError("a defect");
        effect({ kind: "done", key: null, detail: { how } });
        return { how };
      },
    }),
  ],
});

async function serve(fixture: Fixture, clock: Parameters<FixtureServer["bind"]>[0]["clock"]) {
  const [near, far] = memoryPair();
  const server = new FixtureServer(fixture, far);
  server.bind({ clock });
  await server.start();
  return { hub: new PlainHub(near), server };
}

const brief = (entries: readonly LedgerEntry[]) =>
  entries.map(({ call, tool, outcome, effects }) => [call, tool, outcome, effects.map(({ kind }) => kind).join()]);

Deno.test("the ledger has every call in order, with its span, its arguments and what it did", () =>
  sim(async (clock) => {
    const { hub, server } = await serve(outbox, clock);
    await hub.call("send_message", { ...MESSAGE, idempotency_key: "k" }, { "brownout/span": "run/w1" });
    await sleep(clock, 20);
    await hub.call("send_message", { to: 5 }, { "brownout/span": 7 });
    await hub.call("constructor", {});
    const expected = [
      {
        call: 1,
        at: 0,
        tool: "send_message",
        args: { ...MESSAGE, idempotency_key: "k" },
        span: "run/w1",
        outcome: "answered",
        effects: [{ kind: "message_sent", key: "k", detail: MESSAGE }],
      },
      { call: 2, at: 20, tool: "send_message", args: { to: 5 }, span: null, outcome: "failed", effects: [] },
      { call: 3, at: 20, tool: "constructor", args: {}, span: null, outcome: "failed", effects: [] },
    ];
    assert.deepEqual(server.ledger, expected);
    assert.deepEqual((await hub.request("brownout/ledger")).result, { fixture: "outbox", calls: expected });
    await hub.close();
  }));

Deno.test("the ledger is no tool, is not in itself, and ends with its cell", () =>
  sim(async (clock) => {
    const { hub, server } = await serve(outbox, clock);
    const refused = (await hub.call("brownout/ledger", {})).result as { isError: boolean };
    assert.equal(refused.isError, true);
    await hub.call("send_message", MESSAGE);
    const old = server.ledger;
    assert.deepEqual(brief(old), [[1, "brownout/ledger", "failed", ""], [
      2,
      "send_message",
      "answered",
      "message_sent",
    ]]);
    await hub.request("brownout/reset");
    assert.deepEqual((await hub.request("brownout/ledger")).result, { fixture: "outbox", calls: [] });
    await hub.call("send_message", MESSAGE);
    assert.deepEqual(brief(server.ledger), [[1, "send_message", "answered", "message_sent"]]);
    assert.equal(old.length, 2);
    await hub.close();
  }));

Deno.test("the ledger tells how each call ended, and keeps the effects of those that were never answered", () =>
  sim(async (clock) => {
    const { hub, server } = await serve(ends, clock);
    for (const how of ["answer", "fail", "break"]) await hub.call("end", { how });
    hub.call("end", { how: "later" });
    const cancelled = hub.lastId;
    hub.call("end", { how: "later" });
    hub.call("end", { how: "fail later" });
    await sleep(clock, 10);
    await hub.notify("notifications/cancelled", { requestId: cancelled });
    await sleep(clock, 10);
    assert.deepEqual(brief(server.ledger), [
      [1, "end", "answered", "begun,done"],
      [2, "end", "failed", "begun"],
      [3, "end", "broke", "begun"],
      [4, "end", "aborted", "begun"],
      [5, "end", "open", "begun"],
      [6, "end", "open", "begun"],
    ]);
    await sleep(clock, 200);
    assert.deepEqual(brief(server.ledger).slice(4), [
      [5, "end", "answered", "begun,done"],
      [6, "end", "failed", "begun"],
    ]);
    await hub.close();
  }));

Deno.test("the ledger of a cell that is over says which calls the end of the cell aborted", () =>
  sim(async (clock) => {
    const { hub, server } = await serve(ends, clock);
    hub.call("end", { how: "later" });
    await sleep(clock, 10);
    const { ledger } = server;
    server.bind({ clock });
    await sleep(clock, 0);
    assert.deepEqual(brief(ledger), [[1, "end", "aborted", "begun"]]);
    await hub.close();
  }));

Deno.test("a request that is none of ours is refused in the SDK's own words", () =>
  sim(async (clock) => {
    const { hub } = await serve(outbox, clock);
    for (const method of ["brownout/nothing", "resources/list", "constructor"]) {
      const { error }: Fields = await hub.request(method);
      assert.deepEqual(error, { code: -32601, message: "Method not found" });
    }
    await hub.close();
  }));

Deno.test("repeatedEffects() goes by the key if there is one, and by what was done if not", () => {
  const entry = (call: number, ...effects: LedgerEntry["effects"]): LedgerEntry => ({
    call,
    at: 0,
    tool: "t",
    args: {},
    span: null,
    outcome: "answered",
    effects,
  });
  const sent = (key: string | null, to: string, kind = "sent") => ({ kind, key, detail: { to } });
  assert.deepEqual(repeatedEffects([]), []);
  assert.deepEqual(
    repeatedEffects([
      entry(1, sent("k", "a"), sent(null, "a")),
      entry(2, sent("k", "b"), sent("k", "a", "paid")),
      entry(3, sent("l", "a"), sent(null, "b")),
      entry(4, sent(null, "a"), sent(null, "a")),
    ]),
    [
      { effect: sent("k", "a"), calls: [1, 2] },
      { effect: sent(null, "a"), calls: [1, 4, 4] },
    ],
  );
});
