import assert from "node:assert/strict";
import { matchNodes } from "./match.ts";
import { node } from "./testing.ts";

const shown = (...args: Parameters<typeof matchNodes>) => matchNodes(...args).pairs.map((p) => [p.node, p.gold, p.by]);

Deno.test("matchNodes() matches by id before it looks at any text", () => {
  const nodes = [node("a", { objective: "Find the price." }), node("b", { objective: "Find the date." })];
  const wanted = [node("b", { objective: "Find the price." }), node("a", { objective: "Find the date." })];
  assert.deepEqual(shown(nodes, wanted), [[1, 0, "id"], [0, 1, "id"]]);
});

Deno.test("matchNodes() takes an id with another specialist for another node", () => {
  assert.deepEqual(shown([node("a", { specialist: "policy" })], [node("a")]), []);
});

Deno.test("matchNodes() falls back on the words, the likest pair first, and says so", () => {
  const nodes = [
    node("t1", { objective: "Find the delivery date of order 7." }),
    node("t2", { objective: "Find the delivery date and the price of order 7." }),
  ];
  const wanted = [
    node("price", { objective: "Find the price and the delivery date of order 7." }),
    node("date", { objective: "Find the delivery date of order 7." }),
  ];
  assert.deepEqual(shown(nodes, wanted), [[1, 0, "text"], [0, 1, "text"]]);
  assert.deepEqual(shown([node("t1", { objective: "Sing a song." })], wanted), []);
});

Deno.test("matchNodes() matches by text through the values of inputs", () => {
  const [a, b] = [{ claim: "Dogs ride free." }, { claim: "Tickets cost 3 euros." }];
  const objective = "Check the claim.";
  const nodes = [node("t1", { objective, inputs: b }), node("t2", { objective, inputs: a })];
  assert.deepEqual(shown(nodes, [node("x", { objective, inputs: a }), node("y", { objective, inputs: b })]), [
    [1, 0, "text"],
    [0, 1, "text"],
  ]);
});

Deno.test("matchNodes() is one to one, whatever is there twice", () => {
  const same = [node("a"), node("a"), node("a")];
  assert.deepEqual(shown(same, [node("a")]), [[0, 0, "id"]]);
  assert.deepEqual(shown([node("a")], same), [[0, 0, "id"]]);
  assert.equal(shown(same, same).length, 3);
});

Deno.test("matchNodes() knows ids named __proto__ and constructor like any other", () => {
  const nodes = [node("__proto__"), node("constructor")];
  assert.deepEqual(shown(nodes, nodes), [[0, 0, "id"], [1, 1, "id"]]);
  assert.deepEqual(shown([], nodes), []);
  assert.deepEqual(shown(nodes, []), []);
});

Deno.test("matchNodes() matches gold nodes without specialist or objective by id alone", () => {
  const wanted = [{ id: "a", inputs: {}, dependsOn: [] }, { id: "b", inputs: {}, dependsOn: [] }];
  assert.deepEqual(shown([node("b"), node("z")], wanted), [[0, 1, "id"]]);
});
