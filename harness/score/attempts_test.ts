import assert from "node:assert/strict";
import { contracts } from "../../agents/mod.ts";
import { cellSpec, checkNamed, notGreen, runOne } from "../testing/cells.ts";
import { tasksOf } from "./attempts.ts";
import { scoreTrace } from "./score.ts";
import { viewTrace } from "./view.ts";

Deno.test("tasksOf() keeps attempts at one task together, under the name of whom it was given to first", async () => {
  const { trace } = await runOne(cellSpec("web-is-down-analyst-steps-in"));
  const again = tasksOf(viewTrace(trace)).filter(({ attempts }) => attempts.length > 1);
  assert.deepEqual(again.map(({ owner }) => owner), ["fact_checker"]);
  assert.deepEqual(again[0]?.attempts.map(({ packet }) => packet.recipient), ["fact_checker", "analyst"]);
});

Deno.test("a task that is met by another attempt is planned once, named by nobody, and isolated", async () => {
  const result = await runOne(cellSpec("web-is-down-analyst-steps-in"));
  assert.deepEqual(notGreen(result), []);
  for (const id of ["plan.nodes", "plan.edges", "plan.parallel", "record.named", "record.complete"]) {
    assert.equal(checkNamed(result, id).outcome, "pass", id);
  }
});

Deno.test("what does not say that it is a further attempt is work of its own", async () => {
  const { trace } = await runOne(cellSpec("web-is-down-analyst-steps-in"));
  const events = trace.events.map((event) => {
    const packet = contracts.Handoff.safeParse(event.detail["packet"]);
    if (event.type !== "packet" || !packet.success || packet.data.attempt === undefined) return event;
    const { attempt: _, ...first } = packet.data;
    return { ...event, detail: { ...event.detail, packet: first } };
  });
  assert.equal(checkNamed({ scorecard: scoreTrace({ ...trace, events }) }, "plan.nodes").outcome, "fail");
});
