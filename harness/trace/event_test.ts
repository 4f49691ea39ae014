import assert from "node:assert/strict";
import { simLane } from "../lanes/sim.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { cellId } from "./event.ts";
import { EVENT_TYPES } from "./event_types.ts";

Deno.test("cellId() names what differs from the default", () => {
  const cell = {
    scenario: "a",
    variant: null,
    lane: "sim",
    subject: "reference",
    model: "scripted",
    seed: "0",
    repeat: 1,
  } as const;
  assert.equal(cellId(cell), "a@sim");
  assert.equal(cellId({ ...cell, variant: "b", lane: "wire" }), "a/b@wire");
  assert.equal(
    cellId({ ...cell, subject: "liar", model: "live", seed: "7", repeat: 2 }),
    "a@sim,subject=liar,model=live,seed=7,repeat=2",
  );
});

Deno.test("EVENT_TYPES knows every event that the reference and its world give, and who gives it", async () => {
  await using lane = simLane();
  for (const scenario of SCENARIOS) {
    const { trace } = await runOne(cellSpec(scenario), lane);
    for (const { type, side } of trace.events) assert.equal(EVENT_TYPES.get(type)?.side, side, type);
  }
});
