import assert from "node:assert/strict";
import { GATES, gatesOfRejection, isPlaceholder } from "./gates.ts";
import { type PlanningTask, scorePlanReply } from "./reply.ts";
import { scorePlan } from "./score.ts";
import { gold, node } from "./testing.ts";

const task: PlanningTask = {
  request: "Where is order 7, and what does the policy say on late delivery?",
  roster: [{ name: "orders", toolAllow: ["orders."] }, { name: "policy", toolAllow: ["policy."] }],
  gold: gold([
    node("order", { objective: "Find order 7.", inputs: { order_id: "7" } }),
    node("rule", {
      specialist: "policy",
      objective: "State the policy on late delivery.",
      inputs: { topic: "late delivery" },
    }),
  ], [{ part: "where", nodes: ["order"] }, { part: "rule", nodes: ["rule"] }]),
};
const ORDER = { id: "order", specialist: "orders", objective: "Find order 7.", inputs: { order_id: "7" } };
const RULE = {
  id: "rule",
  specialist: "policy",
  objective: "State the policy on late delivery.",
  inputs: { topic: "late delivery" },
};
const said = (...tasks: object[]) => scorePlanReply(task, { text: JSON.stringify({ tasks }) });
const near = (actual: number, wanted: number) =>
  assert.ok(Math.abs(actual - wanted) < 1e-9, `${actual}, not ${wanted}`);

Deno.test("scorePlanReply() gives 1 to the gold plan", () => {
  const { score, parsed, components } = said(ORDER, RULE);
  assert.equal(parsed, "ok");
  assert.equal(score, 1);
  assert.ok(components.every(({ value }) => value === 1));
});

Deno.test("scorePlanReply() of a plan that does one of two parts", () => {
  // nodes 2·1/(1+2) = 2/3, coverage 1/2, inputs 2·1/(1+2) = 2/3; parallelism cannot be seen, so 0.90 is left of the weights.
  near(said(ORDER).score, (0.2 * 2 / 3 + 0.15 * 1 / 2 + 0.15 + 0.1 + 0.1 * 2 / 3 + 0.1 + 0.05 + 0.05) / 0.9);
});

Deno.test("scorePlanReply() of a plan that serialises two independent tasks", () => {
  // edges 0 of 1 pair, parallelism 0 of 1 pair: what those two weigh is lost.
  near(said(ORDER, { ...RULE, dependsOn: ["order"] }).score, 1 - 0.1 - 0.1);
});

Deno.test("scorePlanReply() of a plan in which two tasks do the same", () => {
  // nodes 2·2/(3+2) = 0.8, inputs 4/5 = 0.8, overlap 1 - 2/3, redundancy 1 - 1/2, privilege 2 of 3 grants.
  const { score, components } = said(ORDER, RULE, { ...ORDER, id: "again" });
  near(score, 1 - 0.2 * 0.2 - 0.1 * 0.2 - 0.1 * 2 / 3 - 0.05 / 2 - 0.05 / 3);
  assert.match(components.find(({ id }) => id === "overlap")?.message ?? "", /order and again/);
});

Deno.test("scorePlanReply() of a plan whose objectives say nothing", () => {
  // Both objectives break all three rules, and no fact reaches its task: testability 0, inputs 0.
  const vague = [ORDER, RULE].map(({ id, specialist }) => ({ id, specialist, objective: "Handle it as needed." }));
  const { score, components } = said(...vague);
  near(components.find(({ id }) => id === "testability")?.value ?? 1, 0);
  // The two objectives are word for word the same: overlap 0; another specialist makes it no repeat.
  near(score, 1 - 0.15 - 0.1 - 0.1);
});

Deno.test("scorePlanReply() resolves the plan's facts into the tasks, all of them or those that a task uses", () => {
  const facts = { order_id: "7", topic: "late delivery" };
  const [order, rule] = [{ ...ORDER, inputs: {} }, { ...RULE, inputs: {} }];
  const inputs = (...tasks: object[]) =>
    scorePlanReply(task, { text: JSON.stringify({ facts, tasks }) }).components.find(({ id }) => id === "inputs")
      ?.value;
  assert.equal(inputs({ ...order, uses: ["order_id"] }, { ...rule, uses: ["topic"] }), 1);
  assert.equal(inputs(order, rule), 2 / 3, "each gets a fact that it does not need");
});

Deno.test("scorePlanReply() scores what a plan says, and tells apart how it is written", () => {
  const text = JSON.stringify({ tasks: [ORDER, RULE] });
  const fenced = scorePlanReply(task, { text: `Here:\n\`\`\`json\n${text}\n\`\`\`` });
  const mended = scorePlanReply(task, { text: text.replace("]}", ",]}") });
  assert.deepEqual([fenced.parsed, fenced.score], ["ok", 1]);
  assert.deepEqual([mended.parsed, mended.score, mended.repairs[0]?.id], ["repair", 1, "trailing_comma"]);
});

const text = (...tasks: object[]) => JSON.stringify({ tasks });
const REJECTED: readonly (readonly [gate: string, why: string, text: string, finish?: "length" | "refusal"])[] = [
  ["complete", "a cut reply", text(ORDER, RULE).slice(0, 90)],
  ["complete", "a reply at its limit", text(ORDER, RULE), "length"],
  ["extracted", "prose", "I would ask around."],
  ["extracted", "nothing", ""],
  ["extracted", "a refusal", text(ORDER, RULE), "refusal"],
  ["extracted", "no tasks", text()],
  ["extracted", "rival plans", `${text(ORDER)} ${text(RULE)}`],
  ["size", "51 tasks", text(...Array.from({ length: 51 }, (_, i) => ({ ...ORDER, id: `t${i}` })))],
  ["arguments", "inputs that are a list", text({ ...ORDER, inputs: [7] })],
  ["arguments", "an input to be filled in", text({ ...ORDER, inputs: { order_id: "<order_id>" } }, RULE)],
  ["acyclic", "an id twice", text(ORDER, { ...RULE, id: "order" })],
  ["acyclic", "a dependency on nothing", text({ ...ORDER, dependsOn: ["__proto__"] })],
  ["acyclic", "a circle", text({ ...ORDER, dependsOn: ["rule"] }, { ...RULE, dependsOn: ["order"] })],
  ["specialists", "a stranger", text({ ...ORDER, specialist: "constructor" })],
  ["specialists", "a stranger among others", text(ORDER, RULE, { ...RULE, id: "x", specialist: "poet" })],
];

for (const [gate, why, reply, finish] of REJECTED) {
  Deno.test(`scorePlanReply() stops ${why} at the gate "${gate}"`, () => {
    const { score, gates } = scorePlanReply(task, { text: reply, ...(finish === undefined ? {} : { finish }) });
    assert.equal(score, 0);
    assert.deepEqual(gates.map(({ id }) => id), Object.keys(GATES));
    assert.deepEqual(gates.filter(({ outcome }) => outcome === "fail").map(({ id }) => id), [gate]);
  });
}

Deno.test("gates behind the one that failed cannot be seen, and are not passed", () => {
  const outcomes = gatesOfRejection("too_many_tasks", "51").map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, ["pass", "pass", "fail", "untestable", "untestable", "untestable"]);
});

Deno.test("isPlaceholder() knows gaps from values", () => {
  for (const gap of [null, "", " ", "<order id>", "{{order}}", "${t1.result}", "TODO", "n/a", "...", ["<x>"]]) {
    assert.ok(isPlaceholder(gap), JSON.stringify(gap));
  }
  for (const value of [0, false, "7", "unknown item", "<b>bold</b> text", [], { a: 1 }]) {
    assert.ok(!isPlaceholder(value), JSON.stringify(value));
  }
});

Deno.test("scorePlanReply() takes long texts made to be slow in its stride", () => {
  for (const part of [" ", "<", "a.", "a'-", "'", "A ", "{{", "?"]) {
    const long = `${part.repeat(100_000 / part.length)}x`;
    const { parsed } = said({ ...ORDER, objective: long, inputs: { order_id: long } }, RULE);
    assert.equal(parsed, "ok");
  }
});

Deno.test("scorePlan() looks at no pair of a plan that is over the cap", () => {
  const nodes = Array.from({ length: 10_001 }, (_, i) => node(`${i}`));
  const { score, components, gates } = scorePlan({ nodes, gold: gold([node("0")]), maxNodes: 10_000 });
  assert.deepEqual([score, components], [0, []]);
  assert.equal(gates.find(({ outcome }) => outcome === "fail")?.message, "10001 tasks, allowed are 10000");
});

Deno.test("scorePlan() takes a trace's packets, with a gold plan that has ids, order and facts alone", () => {
  const wanted = gold([
    { id: "a", inputs: { order_id: "7" }, dependsOn: [] },
    { id: "b", inputs: {}, dependsOn: ["a"] },
  ]);
  const nodes = [
    node("a", { inputs: { order_id: "7" }, tools: ["orders."] }),
    node("b", { objective: "State the policy on order 7.", dependsOn: ["a"] }),
  ];
  const { score, components } = scorePlan({ nodes, gold: wanted });
  assert.equal(score, 1);
  const unseen = components.filter(({ value }) => value === null).map(({ id }) => id);
  assert.deepEqual(unseen, ["coverage", "parallelism", "privilege"]);
});

Deno.test("scorePlan() of no nodes is 0, at its gate", () => {
  assert.equal(scorePlan({ nodes: [], gold: gold([node("a")]) }).score, 0);
});
