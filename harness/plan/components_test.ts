import assert from "node:assert/strict";
import { missingParts } from "./coverage.ts";
import { edgeF1 } from "./edge_f1.ts";
import { inputF1, sameFact } from "./input_f1.ts";
import { matchNodes } from "./match.ts";
import type { GoldNode, GoldPlan, PlanNode } from "./node.ts";
import { nodeF1 } from "./node_f1.ts";
import { overlaps, overlapScore } from "./overlap.ts";
import { parallelism } from "./parallelism.ts";
import { privilege } from "./privilege.ts";
import { redundancy } from "./redundancy.ts";
import { gold, node } from "./testing.ts";
import { testability, testabilityProblems } from "./testability.ts";
import { WEIGHTS } from "./components.ts";

type Measure<T> = (nodes: readonly PlanNode[], gold: GoldPlan, match: ReturnType<typeof matchNodes>) => T;
const of = <T>(measure: Measure<T>, nodes: readonly PlanNode[], wanted: readonly GoldNode[]): T =>
  measure(nodes, gold(wanted), matchNodes(nodes, wanted));
const after = (id: string, ...dependsOn: string[]) => node(id, { dependsOn });
const [a, b, c] = [node("a"), node("b"), node("c")];
const stranger = node("z", { specialist: "poet", objective: "Sing." });

Deno.test("the weights of the components are 1 together", () => {
  assert.equal(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0).toFixed(9), "1.000000000");
});

Deno.test("node F1 loses by what is missing and by what is too much", () => {
  assert.equal(of(nodeF1, [a, b], [a, b]).f1, 1);
  assert.equal(of(nodeF1, [a], [a, b]).f1, 2 / 3);
  assert.equal(of(nodeF1, [a, b, stranger], [a, b]).f1, 4 / 5);
  assert.equal(of(nodeF1, [], [a]).f1, 0);
  assert.equal(of(nodeF1, [], []).f1, 1);
  assert.equal(of(nodeF1, [a, a, a], [a]).f1, 1 / 2, "the same node three times is one, and two too many");
});

Deno.test("edge F1 is taken over the closure: what follows anyway may be written out, what is serialised loses", () => {
  const wanted = [a, after("b", "a"), after("c", "b")];
  assert.equal(of(edgeF1, wanted, wanted)?.f1, 1);
  assert.equal(of(edgeF1, [a, after("b", "a"), after("c", "a", "b")], wanted)?.f1, 1);
  assert.equal(of(edgeF1, [a, b, c], [a, b, c])?.f1, 1, "no edges wanted, none found");
  assert.equal(of(edgeF1, wanted, [a, b, c])?.f1, 0, "three independent tasks in a row");
  // Wanted: a and b before c. Serialised: a, b, c, which has one pair too many: 2·2/(3+2).
  assert.equal(of(edgeF1, wanted, [a, b, after("c", "a", "b")])?.f1, 4 / 5);
  assert.equal(of(edgeF1, [a, b, c], wanted)?.f1, 0);
  assert.equal(of(edgeF1, [after("a", "b"), after("b", "a")], [a, b]), undefined);
});

Deno.test("edge F1 is not lost by a step between two others, but for the step's own pairs", () => {
  const nodes = [a, { ...stranger, dependsOn: ["a"] }, after("b", "z")];
  assert.equal(of(edgeF1, nodes, [a, after("b", "a")])?.f1, 2 / 4);
});

Deno.test("input F1 counts facts at the node that needs them", () => {
  const wanted = [{ ...a, inputs: { order_id: "1" }, optional: ["fields"] }, { ...b, inputs: { topic: "x" } }];
  const f1 = (first: PlanNode["inputs"], second: PlanNode["inputs"]) =>
    of(inputF1, [{ ...a, inputs: first }, { ...b, inputs: second }], wanted).f1;
  assert.equal(f1({ order_id: "1" }, { topic: "x" }), 1);
  assert.equal(f1({ order_id: "1", fields: ["status"] }, { topic: "x" }), 1, "optional ones are not counted");
  assert.equal(f1({ order_id: "2" }, { topic: "x" }), 1 / 2, "a wrong value is missing and too much");
  assert.equal(f1({ order_id: "1" }, {}), 2 / 3);
  assert.equal(f1({ order_id: "1", topic: "x" }, { topic: "x", order_id: "1" }), 2 / 3, "everything to everybody");
  assert.equal(of(inputF1, [a], [a]).f1, 1);
  const proto = { ...a, inputs: Object.fromEntries([["__proto__", 1]]) };
  assert.equal(of(inputF1, [proto], [a]).f1, 0);
  assert.equal(of(inputF1, [proto], [proto]).f1, 1);
});

Deno.test("sameFact() does not care how a value is written", () => {
  assert.ok(sameFact(12345, "12345"));
  assert.ok(sameFact(" Duplicate  charge", "duplicate charge"));
  assert.ok(sameFact({ a: 1, b: [2] }, { b: [2], a: 1 }));
  assert.ok(!sameFact(["a"], "a"));
  assert.ok(!sameFact("12345", "12346"));
});

Deno.test("overlap is found between tasks that do much the same, whoever does them", () => {
  const twin = node("b", { specialist: "policy", objective: "Look up the charges on order 7, please." });
  const first = node("a", { objective: "Find the charge on order 7." });
  const nodes = [first, { ...twin, objective: "State the charges on order 7." }];
  assert.deepEqual(overlaps(nodes), [[0, 1]]);
  assert.equal(overlapScore(nodes, overlaps(nodes)), 0);
  assert.equal(overlapScore([...nodes, stranger, c], [[0, 1]]), 1 / 2);
  assert.equal(overlapScore([], []), 1);
  assert.deepEqual(overlaps([a]), []);
});

Deno.test("overlap is no matter of other names, other inputs, or work on what was found", () => {
  const objective = "Give the closing price of the share.";
  const about = (name: string) => `Give the closing price of ${name} in euros.`;
  assert.deepEqual(overlaps([node("a", { objective: about("HRBR") }), node("b", { objective: about("NRDL") })]), []);
  const [x, y] = [{ symbol: "HRBR" }, { symbol: "NRDL" }];
  assert.deepEqual(overlaps([node("a", { objective, inputs: x }), node("b", { objective, inputs: y })]), []);
  assert.deepEqual(overlaps([node("a", { objective, inputs: x }), node("b", { objective, inputs: x })]), [[0, 1]]);
  const check = node("b", { specialist: "fact_checker", objective, dependsOn: ["a"] });
  assert.deepEqual(overlaps([node("a", { objective }), check]), []);
  assert.deepEqual(overlaps([node("a", { objective }), { ...check, specialist: "orders" }]), [[0, 1]]);
});

Deno.test("redundancy is the same tool with the same arguments, or the same task where no tool is named", () => {
  assert.equal(redundancy([]).score, 1);
  assert.equal(redundancy([a, b]).score, 1);
  const same = node("x", { objective: "Find the order.", inputs: { id: 7 } });
  assert.deepEqual(redundancy([same, same, same]), { total: 3, repeats: 2, repeated: ["orders"], score: 0 });
  assert.equal(redundancy([same, { ...same, inputs: { id: 8 } }]).score, 1);
  const calls = (...ids: number[]) => ids.map((id) => ({ tool: "orders.find_order", args: { id } }));
  assert.equal(redundancy([node("a", { calls: calls(1, 2) }), node("b", { calls: calls(2) })]).score, 1 / 2);
});

Deno.test("a part of the request is met by its tasks, all of them, or by its words in one task", () => {
  const parts = [
    { part: "both", nodes: ["a", "b"] },
    { part: "date", keywords: ["delivery", "date"] },
    { part: "nobody", nodes: ["c"], keywords: ["delivery"] },
  ];
  const missing = (...nodes: PlanNode[]) =>
    missingParts(nodes, gold([a, b, c], parts), matchNodes(nodes, [a, b, c])).map(({ part }) => part);
  assert.deepEqual(missing(), ["both", "date", "nobody"]);
  assert.deepEqual(missing(a, b), ["date", "nobody"]);
  assert.deepEqual(missing(a, node("q", { objective: "Find the dates of deliveries." })), ["both"]);
  assert.deepEqual(
    missing(node("q", { objective: "Find the date." }), node("r", { objective: "Find the delivery." })),
    [
      "both",
      "date",
    ],
  );
});

Deno.test("testability finds objectives of which nobody can tell that they were met", () => {
  const of = (objective: string, request = "") => testabilityProblems(node("a", { objective }), request);
  assert.deepEqual(of("State the total of order 12345."), []);
  assert.deepEqual(of('Quote the clause "late delivery".'), []);
  assert.deepEqual(of("Find what is slow in shop/db.py."), []);
  assert.deepEqual(of("Handle the billing part."), ["no_checkable_verb", "nothing_concrete", "vague"]);
  assert.deepEqual(of("Look into order 12345 as needed."), ["no_checkable_verb", "vague"]);
  assert.deepEqual(of("Find relevant things."), ["nothing_concrete", "vague"]);
  assert.deepEqual(of("Find the rules."), ["nothing_concrete"]);
  assert.deepEqual(of("Find the rules on late parcels.", "What are the rules for late parcels?"), []);
  const given = node("a", { objective: "Find the rules on parcels.", inputs: { topic: "parcels" } });
  assert.deepEqual(testabilityProblems(given), []);
  assert.equal(testability([]), undefined);
  assert.equal(testability([node("a", { objective: "Find the rules." }), a]), 5 / 6);
});

Deno.test("least privilege counts grants that nobody needs", () => {
  const wanted = [{ ...a, tools: ["orders.find_order"] }];
  const catalogue = ["orders.find_order", "orders.refund_status", "policy.check_policy"];
  const score = (tools: string[], all?: string[]) =>
    privilege([{ ...a, tools }], gold(wanted), matchNodes([a], wanted), all)?.score;
  assert.equal(score(["orders.find_order"]), 1);
  assert.equal(score(["orders."]), 0, "without a catalogue an entry is fine or it is not");
  assert.equal(score(["orders."], catalogue), 1 / 2);
  assert.equal(score(["orders.find_order", "policy."], catalogue), 1 / 2);
  assert.equal(score([]), undefined);
  assert.equal(of(privilege, [a], [a]), undefined);
  const more = { ...stranger, tools: ["orders.find_order"] };
  assert.deepEqual(of(privilege, [more], wanted)?.excess, ["z orders.find_order"]);
});

Deno.test("parallelism is lost by independent tasks in a row, and cannot be seen where there are none", () => {
  assert.equal(of(parallelism, [a, b, c], [a, b, c])?.score, 1);
  assert.equal(of(parallelism, [a, after("b", "a"), after("c", "b")], [a, b, c])?.score, 0);
  const half = of(parallelism, [a, after("b", "a"), c], [a, b, c]);
  assert.deepEqual(half?.serialised, [["a", "b"]]);
  assert.equal(half?.independent, 3);
  const through = [a, { ...stranger, dependsOn: ["a"] }, after("b", "z")];
  assert.deepEqual(of(parallelism, through, [a, b])?.serialised, [["a", "b"]], "through a node of its own");
  assert.equal(of(parallelism, [a, after("b", "a")], [a, after("b", "a")]), undefined);
  assert.equal(of(parallelism, [a], [a, b]), undefined);
});
