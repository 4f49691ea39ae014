import assert from "node:assert/strict";
import { simLane } from "../lanes/sim.ts";
import { wireLane } from "../lanes/wire.ts";
import { cellSpec, checkNamed, notGreen, runOne, scenarioNamed } from "../testing/cells.ts";
import { canonicalTrace } from "../trace/canonical.ts";
import type { Trace } from "../trace/event.ts";
import { writeTrace } from "../trace/jsonl.ts";

const healthy = scenarioNamed("healthy-desk");

/** The healthy desk with faults, judged by what holds for every run. */
function struck(...faults: { readonly fault: string; readonly at: string; readonly [param: string]: unknown }[]) {
  const { expect: _, ...scenario } = healthy;
  return { ...scenario, faults, playback: "lenient" as const };
}

const events = ({ events }: Trace, type: string, agent: string) =>
  events.filter((event) => event.type === type && event.detail["agent"] === agent);

Deno.test("faultyModel() gives the caller what the faults make of a turn, and that is what is recorded", async () => {
  const { trace, scorecard } = await runOne(
    cellSpec(struck({ fault: "unsupported_note", at: "agent:comms", claim: "And a voucher." })),
  );
  assert.equal(scorecard.outcome, "pass");
  const [first, last] = events(trace, "model.turn", "comms");
  assert.match(String(last?.detail["text"]), /And a voucher\.$/);
  const [fault, ...more] = events(trace, "model.fault", "comms");
  assert.deepEqual(more, []);
  assert.deepEqual(fault?.detail, { fault: "unsupported_note", at: "agent:comms", agent: "comms", call: 2 });
  assert.deepEqual([fault?.side, fault?.outcome], ["world", "unsupported_note"]);
  assert.equal(fault?.span, last?.span, "it stands at the step that it struck");
  assert.notEqual(first?.span, last?.span);
});

for (
  const [fault, code, status] of [
    ["model_rate_limited", "rate_limited", 429],
    ["model_unauthorized", "unauthorized", 401],
    ["model_http_error", "model_error", 500],
    ["model_overloaded", "model_error", 529],
  ] as const
) {
  Deno.test(`faultyModel() fails a call with the code of its status: ${fault}`, async () => {
    const { trace } = await runOne(cellSpec(struck({ fault, at: "agent:policy" })));
    const [error] = events(trace, "model.error", "policy");
    assert.deepEqual([error?.outcome, error?.detail["status"]], [code, status]);
    const report = trace.events.find(({ type, worker }) => type === "report" && worker === "policy");
    assert.equal(report?.outcome, code);
  });
}

Deno.test("faultyModel() waits on the cell's clock, and a call that hangs ends with its caller", async () => {
  const slow = await runOne(cellSpec(struck({ fault: "slow_first_token", at: "agent:comms", ms: 700 })));
  assert.equal(slow.trace.events.find(({ type }) => type === "run.settled")?.t, 1400);
  const hung = await runOne(cellSpec(struck({ fault: "model_hang", at: "agent:comms" })));
  assert.equal(events(hung.trace, "model.error", "comms")[0]?.t, 3000);
  assert.deepEqual(notGreen(hung), []);
});

Deno.test("faultyModel() strikes agent:* agent by agent, the same for the same seed", async () => {
  const scenario = struck({ fault: "model_overloaded", at: "agent:*", when: { calls: [2] } });
  const { trace } = await runOne(cellSpec(scenario));
  const hit = trace.events.filter(({ type }) => type === "model.fault").map(({ detail }) => detail["agent"]);
  assert.deepEqual(hit.sort(), ["billing", "comms", "policy"]);
  const chance = struck({ fault: "empty_reply", at: "agent:*", when: { probability: 0.4 } });
  const traces = await Promise.all(["1", "1", "2", "3", "4"].map((seed) => runOne(cellSpec(chance, { seed }))));
  const texts = traces.map(({ trace }) => writeTrace(trace));
  assert.equal(texts[0], texts[1]);
  const outcomes = traces.map(({ trace }) =>
    trace.events.filter(({ type }) => type === "model.fault").map(({ span }) => span).sort().join()
  );
  assert.ok(new Set(outcomes).size > 1, "other seeds, other draws");
});

Deno.test("faultyModel() does the same in both lanes", async () => {
  await using sim = simLane();
  await using wire = wireLane();
  const scenario = struck(
    { fault: "unknown_tool", at: "agent:billing", when: { calls: [1] } },
    { fault: "model_http_error", at: "agent:comms", when: { calls: [2] } },
  );
  const one = await runOne(cellSpec(scenario), sim);
  const other = await runOne(cellSpec(scenario, { lane: "wire" }), wire);
  assert.equal(canonicalTrace(other.trace), canonicalTrace(one.trace));
});

Deno.test("faultyModel(): a fault at an agent that is never reached is found", async () => {
  const { expect: _, ...scenario } = healthy;
  const faults = [{ fault: "model_overloaded", at: "agent:comms", when: { calls: [9] } }];
  const result = await runOne(cellSpec({ ...scenario, faults, playback: "lenient" }));
  assert.deepEqual(notGreen(result), ["fail faults.reached:model_overloaded@agent:comms"]);
  assert.match(checkNamed(result, "faults.reached:model_overloaded@agent:comms").message, /was not reached/);
});
