/** Both lanes come to the same, in the small set of each crew. CI runs all the rest in both lanes with `bench run`. */
import assert from "node:assert/strict";
import { childPids } from "../../core/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { wireLane } from "../lanes/wire.ts";
import { runCells } from "../runner/run.ts";
import { scoreLanesAgree } from "../score/lanes_agree.ts";
import { SCENARIOS } from "../testing/all_scenarios.ts";
import { cellSpec } from "../testing/cells.ts";

const SMOKE = SCENARIOS.filter(({ smoke }) => smoke);

Deno.test("sim and wire agree on every check and every event of the small set, and nothing is left running", async () => {
  const specs = SMOKE.flatMap((scenario) => [cellSpec(scenario), cellSpec(scenario, { lane: "wire" })]);
  const results = await runCells(specs, { jobs: 4, openLane: (name) => name === "sim" ? simLane() : wireLane() });
  for (const { trace, scorecard } of results) {
    const bad = scorecard.checks.filter(({ outcome }) => outcome !== "pass");
    assert.deepEqual(bad, [], `${trace.cell.scenario}@${trace.cell.lane}`);
  }
  const checks = scoreLanesAgree(results);
  assert.ok(SMOKE.length > 20);
  assert.equal(checks.length, SMOKE.length);
  assert.deepEqual(checks.filter(({ outcome }) => outcome !== "pass"), []);
  assert.deepEqual(childPids(), []);
});
