import assert from "node:assert/strict";
import { blockedReports, fallbackPlan, packetFor, readyTasks, reassigned } from "./packets.ts";
import { CREW, failedReport, report, task } from "./testing.ts";

Deno.test("packetFor() gives what the plan says and the crew allows, and never more steps than the crew grants", () => {
  const packet = packetFor(task("t1", "billing", { inputs: { order_id: "1" }, maxSteps: 9 }), CREW, []);
  assert.deepEqual(packet, {
    id: "t1",
    sender: "supervisor",
    recipient: "billing",
    objective: "Do t1.",
    inputs: { order_id: "1" },
    toolAllow: ["orders."],
    maxSteps: 3,
    deadlineMs: 1000,
    dependsOn: [],
    returnContract: "One sentence.",
  });
  assert.equal(packetFor(task("t1", "billing", { maxSteps: 1 }), CREW, []).maxSteps, 1);
  assert.throws(() => packetFor(task("t1", "poet"), CREW, []), RangeError);
});

Deno.test("packetFor() puts the notes of what a task depends on into its inputs, by value", () => {
  const inputs = JSON.parse('{"__proto__": 1, "x": 2}');
  const dependent = task("t2", "comms", { dependsOn: ["a/b", "__proto__"], inputs });
  const reports = [report("billing", { packetId: "a/b", note: "n1" }), report("policy", { packetId: "__proto__" })];
  const packet = packetFor(dependent, CREW, reports);
  assert.deepEqual(Object.entries(packet.inputs), [
    ["__proto__", 1],
    ["x", 2],
    ["from a/b", "n1"],
    ["from __proto__", "Found by policy."],
  ]);
  packet.toolAllow.push("orders.");
  assert.deepEqual(CREW.specialists[2]?.toolAllow, ["kb."], "a packet shares nothing with its crew");
});

Deno.test("readyTasks() gives tasks whose dependencies have reported, in the plan's order", () => {
  const plan = { tasks: [task("c", "comms", { dependsOn: ["a"] }), task("a", "billing"), task("b", "policy")] };
  const ids = (...reports: Parameters<typeof readyTasks>[1]) => readyTasks(plan, reports).map(({ id }) => id);
  assert.deepEqual(ids(), ["a", "b"]);
  assert.deepEqual(ids(report("billing", { packetId: "a" })), ["c", "b"]);
});

Deno.test("blockedReports() ends what waits for something that came to nothing, and what waits for that", () => {
  const plan = {
    tasks: [
      task("d", "comms", { dependsOn: ["c"] }),
      task("c", "comms", { dependsOn: ["a", "b"] }),
      task("a", "billing"),
      task("b", "policy"),
      task("e", "comms", { dependsOn: ["b"] }),
    ],
  };
  const reports = [failedReport("billing", "timeout", { packetId: "a" }), report("policy", { packetId: "b" })];
  const blocked = blockedReports(plan, reports, 40);
  assert.deepEqual(blocked.map(({ packetId, failure }) => [packetId, failure?.code, failure?.detail]), [
    ["c", "not_started", "it needs a, which came to nothing"],
    ["d", "not_started", "it needs c, which came to nothing"],
  ]);
  assert.deepEqual(blockedReports(plan, reports.slice(1), 40), [], "what still runs blocks nobody");
});

Deno.test("fallbackPlan() is the crew's own", () => {
  const { tasks } = fallbackPlan(CREW);
  assert.deepEqual(tasks.map(({ specialist, objective }) => [specialist, objective]), [
    ["comms", "Find something to say."],
  ]);
});

Deno.test("packetFor() puts the plan's facts into every packet: all, or those that the task names; its own inputs win", () => {
  const facts = JSON.parse('{"order_id": "1", "topic": "refund", "__proto__": 3}');
  const inputs = (more: Parameters<typeof task>[2]) => packetFor(task("t1", "billing", more), CREW, [], facts).inputs;
  assert.deepEqual(Object.entries(inputs({})), [["order_id", "1"], ["topic", "refund"], ["__proto__", 3]]);
  assert.deepEqual(inputs({ uses: ["topic"] }), { topic: "refund" });
  assert.deepEqual(inputs({ uses: [] }), {});
  assert.deepEqual(inputs({ uses: ["topic"], inputs: { topic: "delay" } }), { topic: "delay" });
});

Deno.test("reassigned() keeps objective and inputs, and gives what the other specialist may have", () => {
  const packet = packetFor(task("t1", "billing", { inputs: { a: 1 }, maxSteps: 1 }), CREW, []);
  const other = reassigned(packet, "comms", CREW);
  assert.deepEqual([other.id, other.recipient, other.objective, other.inputs], ["t1", "comms", "Do t1.", { a: 1 }]);
  assert.deepEqual([other.toolAllow, other.maxSteps], [["kb."], 3]);
});
