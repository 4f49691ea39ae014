import assert from "node:assert/strict";
import { wireLane } from "../../lanes/wire.ts";
import type { CellResult } from "../../runner/run.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { checkOf, notGreen, ONE_DESK, oneAgent, runCommand } from "./testing.ts";

const eventsOf = ({ trace: { events } }: CellResult, type: string) => events.filter((one) => one.type === type);

Deno.test("a stranger's model calls find their agent, and its tools their names", async (t) => {
  await using lane = wireLane();
  await t.step("by the path, with the server's name in the tool's", async () => {
    const result = await runCommand(lane, oneAgent({ model: "gpt", path: "/agents/billing" }));
    assert.deepEqual(notGreen(result), []);
    // What it calls its tools is nobody's business: the record has their own names.
    const [first] = eventsOf(result, "model.request");
    assert.deepEqual([first?.detail["agent"], first?.detail["tools"]], [
      "billing",
      ["orders.find_order", "orders.refund_status"],
    ]);
    assert.equal(eventsOf(result, "server.request")[0]?.detail["tool"], "find_order");
    // That nobody asked the planner is told, and no mistake.
    assert.match(checkOf(result, "run.script"), /^pass: .*nobody asked for planner 1 of 1$/);
    // A text has no structure that could be judged.
    assert.match(checkOf(result, "answer.status"), /^untestable: .*does not show its answer/);
  });
  await t.step("by the model, with the tool's name alone", async () => {
    assert.deepEqual(notGreen(await runCommand(lane, oneAgent({ model: "billing", prefix: false }))), []);
  });
  await t.step("by a declared text of the prompt", async () => {
    const scenario = { ...ONE_DESK, match: { billing: ["you look after orders"], planner: ["you make plans"] } };
    const command = oneAgent({ model: "gpt", system: "You look after orders." });
    assert.deepEqual(notGreen(await runCommand(lane, command, { scenario })), []);
  });
  await t.step(
    "by a declared text of a prompt that is given once, where a conversation goes on by a reply's id",
    async () => {
      const scenario = { ...ONE_DESK, match: { billing: ["you look after orders"], planner: ["you make plans"] } };
      const command = oneAgent({ model: "gpt", system: "You look after orders.", api: "responses" });
      const result = await runCommand(lane, command, { scenario });
      assert.deepEqual(notGreen(result), []);
      const asked = eventsOf(result, "model.request").map(({ detail }) => detail["messages"]);
      assert.deepEqual(asked.map((messages) => Array.isArray(messages) ? messages.length : 0), [1, 3]);
    },
  );
});

Deno.test("what cannot be played is untestable, and it is said what to do", async (t) => {
  await using lane = wireLane();
  const untestable = (result: CellResult, why: RegExp) => {
    assert.equal(result.scorecard.outcome, "untestable");
    assert.match(checkOf(result, "run.script"), why);
    assert.match(checkOf(result, "says:orders.find_order:$129.00"), /^untestable: the script could not be played/);
    assert.deepEqual(result.scorecard.scores, []);
  };
  await t.step("nobody can tell whose call it is", async () => {
    const result = await runCommand(lane, oneAgent({ model: "gpt", system: "You are helpful." }));
    untestable(
      result,
      /^untestable: a model call for "gpt" does not say which agent.*\/agents\/NAME\/v1.*`match:`.*planner, billing/,
    );
  });
  await t.step("it fits two agents", async () => {
    const scenario = { ...ONE_DESK, match: { billing: ["orders"], planner: ["you"] } };
    const result = await runCommand(lane, oneAgent({ model: "gpt", system: "You look after orders." }), { scenario });
    untestable(result, /`match` of billing and planner/);
  });
  await t.step("the agent has no script", async () => {
    const result = await runCommand(lane, oneAgent({ model: "gpt", path: "/agents/poet" }));
    untestable(result, /no agent "poet"; agents: planner, billing/);
  });
  await t.step("no tool that is offered can be the script's", async () => {
    const result = await runCommand(lane, oneAgent({ model: "billing", only: "refund_status" }));
    untestable(result, /billing's script calls orders.find_order.*offered: orders_refund_status/);
  });
  await t.step("control is to be handed on, and it offers nothing for that", async () => {
    const script = {
      triage: [{ call: "handoff.billing", with: { objective: "Look." } }],
      billing: [{ final: "Done." }],
    };
    const scenario: Scenario = { ...ONE_DESK, topology: "peer", script };
    const mute = await runCommand(lane, oneAgent({ model: "triage" }), { scenario });
    untestable(mute, /triage's script calls handoff\.billing.*offered: orders_find_order/);
    const planning = await runCommand(lane, oneAgent({ model: "planner" }), { scenario });
    untestable(planning, /for "planner" does not say .*: triage, billing; there is no planner: triage begins, and/);
  });
  await t.step("whoever gives up because of it is not to blame", async () => {
    const result = await runCommand(lane, oneAgent({ model: "gpt", system: "You are helpful.", gives_up: true }));
    untestable(result, /does not say which agent/);
    assert.match(checkOf(result, "run.ended"), /^untestable: crashed: .*; but the script could not be played$/);
  });
  await t.step("the scenario kills its subject", async () => {
    const scenario = { ...ONE_DESK, interrupts: [{ after: "server.reply", nth: 1 }] };
    const result = await runCommand(lane, oneAgent({ model: "billing" }), { scenario });
    untestable(result, /kills the subject in the middle/);
  });
});

Deno.test("a server that a stranger starts again is another connection, and faults stay with the bench", async () => {
  await using lane = wireLane();
  const faults = [{ fault: "tool_error", at: "orders.find_order", message: "orders-db is down" }];
  const scenario = { ...ONE_DESK, faults };
  const result = await runCommand(lane, oneAgent({ model: "billing", restart: true }), { scenario });
  assert.deepEqual(eventsOf(result, "server.connect").map(({ detail }) => detail["attempt"]), [1, 2]);
  assert.deepEqual(eventsOf(result, "server.close").map(({ detail }) => detail["by"]), ["hub", "hub"]);
  assert.match(checkOf(result, "faults.reached:tool_error@orders.find_order"), /^pass/);
  assert.equal(checkOf(result, "run.drained").slice(0, 5), "pass:");
  // The scripted model says what it was to have seen only where it has been seen.
  const answer = JSON.stringify(eventsOf(result, "run.end")[0]?.detail["answer"]);
  assert.ok(answer.includes("(not seen)") && !answer.includes("ORD-7731-KX"));
});
