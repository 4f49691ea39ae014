import assert from "node:assert/strict";
import { uncovered } from "./coverage.ts";

const task = (id: string, objective: string, inputs = {}) => ({
  ...{ id, specialist: "orders", objective, inputs, dependsOn: [] },
});

Deno.test("uncovered() names a part that the planner lists and no task is for, and none that was dropped or folded into another", () => {
  const parts = [
    { part: "what was charged", by: ["a"] },
    { part: "what the law says", by: [] },
    { part: "what happens now", by: ["a", "b", "c"] },
  ];
  const plan = { tasks: [task("a", "Find the charges.")], parts };
  assert.deepEqual(uncovered("What now?", plan), [
    'no task of the plan covers "what the law says"',
    'the plan has no task "b", "c", which was to meet "what happens now"',
  ]);
  const dropped = [{ id: "b", specialist: "bard", objective: "Sing.", reason: "unknown_specialist" as const }];
  assert.deepEqual(uncovered("What now?", plan, { dropped, repeated: [{ id: "c", of: "a" }] }), [
    'no task of the plan covers "what the law says"',
  ]);
});

Deno.test("uncovered() names what the request names in one breath with what the tasks name", () => {
  const missing = (request: string, ...objectives: string[]) =>
    uncovered(request, { tasks: objectives.map((objective, i) => task(`t${i}`, objective)) })
      .map((line) => /"(.*?)"/.exec(line)?.[1]);
  assert.deepEqual(missing("Where are orders 1182, 1183 and order 1184?", "Find order 1183."), ["1182", "1184"]);
  assert.deepEqual(missing("Review shop/db.py and shop/api.py.", "Review shop/db.py."), ["shop/api.py"]);
  assert.deepEqual(missing("How do Northwind and Eastgate compare?", "Describe Northwind."), ["Eastgate"]);
  for (
    const request of [
      "I was charged twice for order 1182 in 2026. Give me $90 of it back within 5 days.",
      "Where are orders 1183 and 1184?",
      "Ask R. Okafor and tell me of order 1182.",
      "",
    ]
  ) assert.deepEqual(missing(request, "Find order 1182."), [], request);
});

Deno.test("uncovered() names an item of the request's list of which no task has a telling word", () => {
  const request = "Please:\n1. find order 1182\n2. state the policy on returns\n3. write to the customer\n\nThank you!";
  const plan = { tasks: [task("a", "Find order 1182."), task("b", "State how returning works.")] };
  assert.deepEqual(uncovered(request, plan), ['no task of the plan covers "write to the customer"']);
  assert.deepEqual(uncovered("a) the price b) the weather", { tasks: [task("a", "Find the price.")] }), [
    'no task of the plan covers "the weather"',
  ]);
  const facts = { tasks: [task("a", "Find it.")], facts: { topic: "weather and prices" } };
  assert.deepEqual(uncovered("- the price\n- the weather", facts), []);
});

Deno.test("uncovered() reads a bounded part of a hostile request", () => {
  for (const piece of ["1. ", "A and ", "- x\n", "a1, "]) {
    assert.ok(uncovered(piece.repeat(200_000 / piece.length), { tasks: [task("a", "Find a1.")] }).length < 50, piece);
  }
});
