/** Every fault on the model's side, against a crew that does everything right. */
import { FAILURE_CODES } from "../../../core/mod.ts";
import type { Fault } from "../fault.ts";
import { MODEL_FAULTS } from "./mod.ts";
import { runCrew } from "./testing.ts";
import assert from "node:assert/strict";

const PLANNERS = new Set(["prose_for_schema", "prototype_specialist"]);
const FAILING_TOOLS = new Set(["success_after_failure"]);

/** Other values of parameters, under which the outcome is the same. */
const VARIANTS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  fenced_plan: ["prose", "trailing_commas", "comments", "string", "reasoning"].map((style) => ({ style })),
  malformed_plan: [{ how: "invented_closing" }, { how: "ellipsis" }],
  empty_plan: [{ how: "no_text" }, { how: "blank" }],
  truncated_plan: [{ fraction: 0.01 }, { fraction: 0.99 }, { told: false }],
  cyclic_plan: [{ how: "self" }, { how: "dangling" }],
  prototype_specialist: ["toString", "__proto__", "hasOwnProperty"].map((name) => ({ name })),
  bad_arguments: [{ how: "extra" }, { how: "wrong_type" }],
  completed_without_text: [{ how: "blank" }, { how: "reasoning" }],
  truncated_arguments: [{ told: false }, { told: false, fraction: 0.99 }],
  bad_tool_call: ["array", "double_encoded", "no_text"].map((how) => ({ how })),
  leaked_reasoning: [{ tag: "thinking" }],
  model_http_error: [{ status: 503 }, { status: 529 }, { status: 400 }],
  model_rate_limited: [{ as: "date" }, { as: "milliseconds" }],
};

const placeOf = ({ id, layer }: Fault): string =>
  layer === "plan" || PLANNERS.has(id) ? "agent:planner" : "agent:billing";

for (const fault of MODEL_FAULTS) {
  const { id, outcome, lanes } = fault;
  for (const params of [{}, ...VARIANTS[id] ?? []]) {
    const name = `${id}${Object.keys(params).length === 0 ? "" : ` ${JSON.stringify(params)}`}`;
    if (lanes.sim !== true) {
      Deno.test(`${name} has nothing to do without bytes, and says so`, async () => {
        const run = await runCrew([{ fault: id, at: "agent:*", ...params }]);
        assert.deepEqual([run.outcome, run.events], ["ok", []]);
        assert.ok(String(lanes.sim).length > 20);
      });
      continue;
    }
    Deno.test(`${name}: the agents are given something else, and a correct one ends in ${outcome}`, async () => {
      const toolsFail = FAILING_TOOLS.has(id);
      const entries = [{ fault: id, at: placeOf(fault), ...params }];
      const [healthy, struck, again] = [
        await runCrew([], { toolsFail }),
        await runCrew(entries, { toolsFail }),
        await runCrew(entries, { toolsFail }),
      ];
      assert.equal(healthy.outcome, toolsFail ? "tool_error" : "ok");
      assert.deepEqual(healthy.events, []);
      assert.notEqual(struck.given, healthy.given);
      assert.equal(struck.outcome, outcome);
      const [event] = struck.events;
      assert.ok(event?.type === "model_fault" && event.fault === id && event.at === placeOf(fault));
      assert.deepEqual(struck, again);
    });
  }
}

Deno.test("MODEL_FAULTS: every fault says what a person needs to know, and no two have one id", () => {
  assert.ok(MODEL_FAULTS.length >= 43);
  assert.equal(new Set(MODEL_FAULTS.map(({ id }) => id)).size, MODEL_FAULTS.length);
  for (const { id, summary, correct, outcome, params, entry } of MODEL_FAULTS) {
    assert.ok(summary.endsWith(".") && correct.endsWith("."), id);
    assert.ok(outcome === "ok" || FAILURE_CODES.includes(outcome), id);
    for (const [name, param] of Object.entries(params.shape)) {
      assert.ok(typeof param === "object" && "description" in param && param.description, `${id}.${name}`);
    }
    const line = entry.parse({ fault: id, at: "agent:*" });
    assert.deepEqual(entry.parse(line), line);
    for (const at of ["orders", "orders.find_order", "agent:", "agent: x"]) {
      assert.equal(entry.safeParse({ fault: id, at }).success, false, `${id} at ${at}`);
    }
  }
});

Deno.test("a transient fault of the model is over after its calls", async () => {
  const run = await runCrew([{ fault: "completed_without_text", at: "agent:billing", when: { calls: [5] } }]);
  assert.deepEqual([run.outcome, run.events], ["ok", []]);
});

Deno.test("double_counted_tokens: input tokens are the same, however many of them were cached", async () => {
  const entries = [{ fault: "double_counted_tokens", at: "agent:*" }];
  assert.equal((await runCrew(entries)).inputTokens, (await runCrew([])).inputTokens);
});
