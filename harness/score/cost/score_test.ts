import assert from "node:assert/strict";
import { storm } from "../../testing/account_subjects.ts";
import { cellSpec, runOne, scenarioNamed } from "../../testing/cells.ts";
import { partsOf, scoreNamed, testLowered } from "../../testing/lowered.ts";
import { volunteer } from "../../testing/subjects.ts";
import { viewTrace } from "../view.ts";
import { costScore } from "./score.ts";

testLowered([
  {
    name: "costScore() counts a tool call that no model asked for, and no tokens",
    score: "cost",
    scenario: "broken-policy-server",
    subject: volunteer,
    changed: { tool_calls: [5, 6] },
    says: /^8 model calls and 6 tool calls, 2811 tokens, at no known price$/,
  },
  {
    name: "costScore() counts what went into attempts that were not used",
    score: "cost",
    scenario: "orders-ask-for-a-pause/for-good",
    subject: storm,
    changed: { model_calls: [11, 12] },
    says: /; \d+ tokens went into attempts that were not used/,
  },
]);

Deno.test("costScore() adds up what each model reply says, by agent", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  const parts = partsOf(costScore(viewTrace(trace)));
  const number = (id: string) => parts.get(id) ?? 0;
  const agents = ["planner", "billing", "policy", "comms", "synthesizer", "other"].map((name) =>
    number(`tokens:${name}`)
  );
  assert.equal(agents.reduce((sum, one) => sum + one, 0), number("value"));
  assert.equal(number("input_tokens") + number("output_tokens"), number("value"));
  assert.equal(parts.get("retry_share"), 0);
});

Deno.test("costScore() gives a price where each reply has one, and none where one does not", async () => {
  const { trace } = await runOne(cellSpec("broken-policy-server"));
  const withPrices = (has: (agent: unknown) => boolean) => ({
    ...trace,
    events: trace.events.map((event) => {
      const { usage, agent } = event.detail;
      const isUsage = typeof usage === "object" && usage !== null && !Array.isArray(usage);
      return event.type === "model.turn" && isUsage && has(agent)
        ? { ...event, detail: { ...event.detail, usage: { ...usage, costUsd: 0.1 } } }
        : event;
    }),
  });
  assert.equal(partsOf(costScore(viewTrace(withPrices(() => true)))).get("usd"), 0.8);
  assert.equal(partsOf(costScore(viewTrace(withPrices((agent) => agent !== "planner")))).get("usd"), null);
});

Deno.test("costScore() pays again for a reply that was asked for anew after a kill", async () => {
  const { trace } = await runOne(cellSpec("killed-while-billing-works"));
  const replies = trace.events.filter(({ side, type }) => side === "world" && type === "model.turn").length;
  const { evidence } = scoreNamed(
    { scorecard: { outcome: "pass", checks: [], scores: [costScore(viewTrace(trace))] } },
    "cost",
  );
  assert.equal(evidence.length, replies);
});

Deno.test("costScore() has no retry share of nothing", async () => {
  const { trace } = await runOne(cellSpec(scenarioNamed("broken-policy-server")));
  const parts = partsOf(costScore(viewTrace({ ...trace, events: [] })));
  assert.deepEqual([parts.get("value"), parts.get("retry_share"), parts.get("usd")], [0, null, 0]);
});
