import assert from "node:assert/strict";
import { Hub } from "../../agents/mod.ts";
import type { Lane } from "./lane.ts";
import { ledgerOf, readLedger } from "./ledger.ts";
import { simLane } from "./sim.ts";
import { wireLane } from "./wire.ts";

const signal = new AbortController().signal;
const message = { to: "a@example.com", subject: "Hello", body: "Hello." };

/** Two connections, one after the other, with a message sent over each. */
async function twoConnections(lane: Lane) {
  const spec = { servers: ["outbox"], data: {}, faults: [], seed: "0", shuffle: false, observer: () => {} };
  const world = await lane.open(spec);
  const texts = await world.run(async () => {
    const seen: string[] = [];
    for (const span of ["run/a/call1", "run/b/call1"]) {
      await using hub = await Hub.open({ ports: world.ports, clock: world.clock });
      const options = { allow: ["outbox"], signal };
      await hub.call("outbox.send_message", message, { ...options, span });
      seen.push((await hub.call("outbox.list_sent", {}, { ...options, span: `${span}x` })).kind);
    }
    return seen;
  });
  return { texts, ledgers: world.ledgers };
}

Deno.test("a lane's servers keep their state and their ledger over each of a cell's connections, the same in both", async () => {
  await using sim = simLane();
  await using wire = wireLane();
  const [one, other] = [await twoConnections(sim), await twoConnections(wire)];
  assert.deepEqual(one, other);
  const [ledger] = one.ledgers;
  assert.equal(ledger?.total, 4);
  assert.deepEqual(ledger?.calls.map(({ call, span, outcome, effects }) => [call, span, outcome, effects.length]), [
    [1, "run/a/call1", "answered", 1],
    [3, "run/b/call1", "answered", 1],
  ]);
  assert.deepEqual((await twoConnections(sim)).ledgers, one.ledgers, "nothing is left of the cell before");
});

Deno.test("readLedger() takes what a fixture answers, and nothing else", () => {
  const effects = [{ kind: "sent", key: null, detail: { to: "a" } }];
  const entry = { call: 2, at: 5, tool: "t", args: {}, span: null, outcome: "open" as const, effects };
  const { at: _, ...rest } = entry;
  const made = { server: "s", total: 1, calls: [{ ...rest, outcome: "aborted" }] };
  assert.deepEqual(readLedger("s", { fixture: "s", calls: [entry] }), made);
  assert.deepEqual(ledgerOf("s", [entry]), made);
  for (const odd of [undefined, {}, { calls: [{}] }, { calls: "none" }]) assert.equal(readLedger("s", odd), undefined);
});
