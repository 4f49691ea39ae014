/** A thousand interleavings of one scenario: each repeatable, and all of them the same story. */
import assert from "node:assert/strict";
import { simLane } from "../lanes/sim.ts";
import { runCell } from "../runner/cell.ts";
import { cellSpec } from "../testing/cells.ts";
import { canonicalDigest } from "../trace/canonical.ts";

const SEEDS = 1000;
/** Every so manyth is run again. */
const AGAIN = 4;

Deno.test(`${SEEDS} seeded interleavings: one canonical trace for all orders, and every ${AGAIN}th seed again the same trace`, async () => {
  await using lane = simLane();
  const run = (seed: number) => runCell(cellSpec("broken-policy-server", { seed: `${seed}` }), lane);
  const byOrder = new Map<string, Set<string>>();
  const traces = new Map<number, string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const trace = await run(seed);
    if (seed % AGAIN === 0) traces.set(seed, JSON.stringify(trace.events));
    const order = trace.events.filter(({ type }) => type === "model.turn" || type === "server.reply").map(({ span }) =>
      span
    );
    const canonical = byOrder.get(order.join()) ?? new Set();
    byOrder.set(order.join(), canonical.add(canonicalDigest(trace)));
  }
  // In another order, so that nothing rests on what ran before.
  for (let seed = SEEDS; seed >= 1; seed -= AGAIN) {
    assert.ok(JSON.stringify((await run(seed)).events) === traces.get(seed), `seed ${seed}`);
  }
  assert.ok(byOrder.size >= 6, `only ${byOrder.size} orders came about`);
  for (const [order, canonical] of byOrder) assert.equal(canonical.size, 1, order);
  assert.equal(new Set([...byOrder.values()].flatMap((canonical) => [...canonical])).size, 1);
});
