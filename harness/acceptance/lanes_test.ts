/** Both lanes come to the same, in one run of each kind. CI runs every scenario in both lanes with `bench run`. */
import assert from "node:assert/strict";
import { childPids } from "../../core/mod.ts";
import { simLane } from "../lanes/sim.ts";
import { wireLane } from "../lanes/wire.ts";
import { runCells } from "../runner/run.ts";
import { scoreLanesAgree } from "../score/lanes_agree.ts";
import { cellSpec } from "../testing/cells.ts";

/** Both topologies; a server that fails, one that dies, and a person who is asked. */
const NAMES = [
  "broken-policy-server",
  "kb-server-crashes-on-start",
  "refund-over-the-limit",
  "peers-hand-over-in-turn",
];

Deno.test("sim and wire agree on every check and every event, and nothing is left running", async () => {
  const specs = NAMES.flatMap((name) => [cellSpec(name), cellSpec(name, { lane: "wire" })]);
  const results = await runCells(specs, { jobs: 4, openLane: (name) => name === "sim" ? simLane() : wireLane() });
  for (const { trace, scorecard } of results) {
    const bad = scorecard.checks.filter(({ outcome }) => outcome !== "pass");
    assert.deepEqual(bad, [], `${trace.cell.scenario}@${trace.cell.lane}`);
  }
  const checks = scoreLanesAgree(results);
  assert.equal(checks.length, NAMES.length);
  assert.deepEqual(checks.filter(({ outcome }) => outcome !== "pass"), []);
  assert.deepEqual(childPids(), []);
});
