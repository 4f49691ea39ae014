import assert from "node:assert/strict";
import { append, END, graph, GraphError, START } from "./mod.ts";

const begin = () => graph({ notes: append<string>() });
const node = () => {};

function problems(builder: { compile(): unknown }): readonly string[] {
  try {
    builder.compile();
  } catch (error) {
    assert.ok(error instanceof GraphError);
    return error.problems;
  }
  return [];
}

Deno.test("compile() says what is wrong with a graph and what is allowed", () => {
  const line = () => begin().node("a", node).edge(START, "a").edge("a", END);
  assert.deepEqual(problems(line()), []);
  assert.deepEqual(problems(line().edge("a", "b")), [
    'the edge from "a" leads to "b", which is not a node; allowed: END, "a"',
  ]);
  assert.deepEqual(problems(line().edge("b", "a")), [
    'an edge starts from "b", which is not a node; allowed: START, "a"',
  ]);
  assert.deepEqual(problems(line().branch("constructor", () => END)), [
    'a branch starts from "constructor", which is not a node; allowed: START, "a"',
  ]);
  assert.deepEqual(problems(line().branch("a", () => END, { targets: ["toString", END] })), [
    'the branch from "a" may lead to "toString", which is not a node; allowed: END, "a"',
  ]);
  assert.deepEqual(problems(line().node("a", node)), ['two nodes are called "a"; a name is unique']);
  assert.deepEqual(problems(line().node("b", node).edge("b", END)), [
    'node "b" is unreachable: no edge or branch leads to it from START',
  ]);
  assert.deepEqual(problems(line().node("b", node).edge("a", "b")), [
    'node "b" has no way on: add an edge or a branch from it, or edge("b", END)',
  ]);
  assert.deepEqual(problems(begin().node("a", node).edge("a", END)), [
    "nothing leads from START: add edge(START, node) or branch(START, router)",
  ]);
  assert.deepEqual(problems(line().node("b", node, { timeoutMs: 0 }).edge("a", "b").edge("b", END)), [
    'timeoutMs of node "b" must be a finite number of milliseconds, more than 0; got 0',
  ]);
});

Deno.test("compile() takes a branch without targets as one that may lead anywhere", () => {
  const open = begin().node("a", node).node("b", node).edge(START, "a").edge("b", END);
  assert.deepEqual(problems(open.branch("a", () => END)), []);
});

Deno.test("compile() refuses limits that are none, and says everything at once", () => {
  const line = begin().node("a", node).edge(START, "a");
  assert.throws(() => line.compile({ stepCap: 0, deadlineMs: NaN }), {
    name: "GraphError",
    message: /^3 problems:\n- stepCap .* got 0\n- deadlineMs .* got NaN\n- node "a" has no way on/,
  });
});

Deno.test("compile() makes a graph that later calls of the builder do not change", () => {
  const builder = begin().node("a", node).edge(START, "a").edge("a", END);
  builder.compile();
  builder.edge("a", "nowhere");
  assert.equal(problems(builder).length, 1);
});
