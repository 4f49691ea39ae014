import assert from "node:assert/strict";
import type { Scenario } from "../scenario/mod.ts";
import { cellSpec, runOne, scenarioNamed } from "../testing/cells.ts";
import { partsOf, scoreNamed } from "../testing/lowered.ts";
import type { Score } from "./scores.ts";

interface Task {
  readonly id: string;
  readonly specialist: string;
  readonly objective: string;
  readonly inputs: Record<string, string>;
  readonly dependsOn?: readonly string[];
}

const BILLING: Task = {
  id: "billing",
  specialist: "billing",
  objective: "Establish what was charged on order 12345 and whether a refund exists.",
  inputs: { order_id: "12345" },
};
const POLICY: Task = {
  id: "policy",
  specialist: "policy",
  objective: "State the refund policy for a duplicate charge.",
  inputs: { topic: "duplicate charge" },
};
const COMMS: Task = {
  id: "comms",
  specialist: "comms",
  objective: "Find the customer-facing wording for a duplicate charge.",
  inputs: { query: "duplicate charge" },
};

/** The plan score of healthy-desk, with these replies of the planner in turn. */
async function planned(...replies: readonly (string | readonly Task[])[]): Promise<Score> {
  const healthy = scenarioNamed("healthy-desk");
  const planner = replies.map((tasks) => ({ say: typeof tasks === "string" ? tasks : JSON.stringify({ tasks }) }));
  const scenario: Scenario = { ...healthy, script: { ...healthy.script, planner } };
  return scoreNamed(await runOne(cellSpec(scenario)), "plan");
}

Deno.test("planScore() of the healthy desk is full, and says so", async () => {
  const score = await planned([BILLING, POLICY, COMMS]);
  assert.equal(score.value, 1);
  assert.equal(score.message, "the plan is as good as the gold plan");
  const parts = partsOf(score);
  for (const id of ["nodes", "inputs", "parallelism", "redundancy", "privilege", "parse_rate"]) {
    assert.equal(parts.get(id), 1, id);
  }
  assert.equal(parts.get("coverage"), 1, "each task of the gold plan is a part of the request");
  assert.deepEqual([parts.get("repairs"), parts.get("reasks")], [0, 0]);
  assert.ok(score.evidence.length > 0);
});

Deno.test("planScore() is lower for a plan that puts one after another what could go at once", async () => {
  const policy = { ...POLICY, dependsOn: ["billing"] };
  const score = await planned([BILLING, policy, { ...COMMS, dependsOn: ["policy"] }]);
  assert.ok(score.value !== null && score.value < 0.9, `${score.value}`);
  assert.equal(partsOf(score).get("parallelism"), 0);
  assert.equal(partsOf(score).get("inputs"), 1, "notes that the supervisor adds are no inputs of the plan");
  assert.match(score.message, /3 of 3 independent pairs run one after the other/);
});

Deno.test("planScore() is lower for a plan that leaves work out, and names it", async () => {
  const score = await planned([BILLING, POLICY]);
  assert.ok(score.value !== null && score.value < 1);
  assert.equal(partsOf(score).get("nodes"), 0.8);
  assert.match(score.message, /missing: comms/);
});

Deno.test("planScore() is lower for a plan without the facts, and for one whose objectives are vague", async () => {
  const bare = await planned([{ ...BILLING, inputs: {} }, POLICY, COMMS]);
  assert.equal(partsOf(bare).get("inputs"), Number((2 / 3).toPrecision(6)));
  const vague = await planned([{ ...BILLING, objective: "Look into it as needed." }, POLICY, COMMS]);
  assert.ok((partsOf(vague).get("testability") ?? 1) < 1);
});

Deno.test("planScore() is 0 for a plan with somebody who does not exist, though the rest of it is run", async () => {
  const score = await planned([BILLING, POLICY, COMMS, { ...COMMS, id: "poem", specialist: "poet" }]);
  assert.equal(score.value, 0);
  assert.equal(score.message, "worth nothing: not on the roster: poet");
});

Deno.test("planScore() of a reply that comes right when asked again is full; the parse rate is told apart", async () => {
  const score = await planned("I would ask billing.", [BILLING, POLICY, COMMS]);
  assert.equal(score.value, 1);
  assert.deepEqual([partsOf(score).get("parse_rate"), partsOf(score).get("reasks")], [0.5, 1]);
});

Deno.test("planScore() is 0 where no reply held a plan, whatever was run instead", async () => {
  const score = await planned("I would ask billing.", "And then policy.");
  assert.equal(score.value, 0);
  assert.match(score.message, /^worth nothing: no_plan/);
  assert.equal(partsOf(score).get("parse_rate"), 0);
});

Deno.test("planScore() says nothing where nobody plans, and where the scenario has no gold plan", async () => {
  const peers = scoreNamed(await runOne(cellSpec("peers-hand-over-in-turn")), "plan");
  assert.deepEqual([peers.value, peers.message], [null, "peers hand control to each other; nobody plans"]);
  const golden = scoreNamed(await runOne(cellSpec("ten-refunds-of-90")), "plan");
  assert.deepEqual([golden.value, golden.message], [null, "the scenario has no gold plan"]);
});

Deno.test("planScore() has the same parts in every cell", async () => {
  const ids = (score: Score) => score.components.map(({ id }) => id);
  const peers = scoreNamed(await runOne(cellSpec("peers-hand-over-in-turn")), "plan");
  assert.deepEqual(ids(peers), ids(await planned([BILLING, POLICY, COMMS])));
});
