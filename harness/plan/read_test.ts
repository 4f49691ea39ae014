import assert from "node:assert/strict";
import { parseSource } from "../scenario/source.ts";
import { TestFolder } from "../scenario/test_folder.ts";
import { formatProblem } from "../scenario/problem.ts";
import { scoreDag } from "./dag_file.ts";
import { parseJsonl, planFiles, readPlanFile } from "./read.ts";

const SOUND = `name: x
request: Where is order 7?
crew: support
gold:
  - { id: a, specialist: billing, objective: Find order 7., takes: 500ms }
replies:
  - { kind: good, text: "" }
`;

async function problems(text: string): Promise<string[]> {
  await using folder = await TestFolder.make({ "_x.yaml": text });
  const read = await readPlanFile(`${folder.path}/_x.yaml`, "x.yaml");
  return read.ok ? [] : read.problems.map(formatProblem);
}

Deno.test("readPlanFile() reads a request, and files whose names start with _ are plans", async () => {
  await using folder = await TestFolder.make({ "_x.yaml": SOUND, "notes.md": "", ".hidden.yaml": "" });
  const [path = "", ...more] = await planFiles(folder.path);
  assert.deepEqual(more, []);
  const read = await readPlanFile(path, "x.yaml");
  assert.equal(read.ok && read.value.cases[0]?.gold[0]?.takes, 500);
});

const WRONG: readonly (readonly [string, string, string, RegExp])[] = [
  ["a key that is none", "request:", "requst:", /^x\.yaml:2:1 unknown key "requst" \(did you mean "request"\?\)/m],
  ["a crew that is none", "crew: support", "crew: suport", /^x\.yaml:3:7 "crew": unknown value "suport"/],
  ["both crew and roster", "crew: support", "crew: support\nroster: [{ name: billing }]", /give either crew or roster/],
  [
    "a specialist that is not on the roster",
    "specialist: billing",
    "specialist: poet",
    /^x\.yaml:5:26 .*not on the roster/,
  ],
  [
    "a dependency on nothing",
    "takes: 500ms",
    "takes: 500ms, dependsOn: [b]",
    /^x\.yaml:5:\d+ .*no task of the gold plan/,
  ],
  ["a task that waits for itself", "takes: 500ms", "takes: 500ms, dependsOn: [a]", /wait for each other/],
  [
    "a part that nothing can meet",
    "replies:",
    "parts: [{ part: all }]\nreplies:",
    /^x\.yaml:6:\d+ .*needs tasks or keywords/,
  ],
  ["no replies", '  - { kind: good, text: "" }', "  []", /needs at least 1 item/],
  ["a score above 1", "kind: good", "kind: good, score: 1.5", /^x\.yaml:7:\d+ "score": must be at most 1/],
  ["no duration", ", takes: 500ms", "", /missing key "takes": add it; a duration is .*"500ms", "2s" or/],
];

for (const [what, from, to, message] of WRONG) {
  Deno.test(`readPlanFile() says where there is ${what}`, async () => {
    assert.ok(SOUND.includes(from));
    assert.match((await problems(SOUND.replace(from, to))).join("\n"), message);
  });
}

Deno.test("parseJsonl() tells the two kinds of rows apart, and the line and column of what is wrong", () => {
  const source = parseSource(SOUND, "x");
  const one = JSON.stringify(source.ok && source.value.value);
  const dag = JSON.stringify({
    id: "d",
    task: "Tea",
    nodes: [{ id: 1, text: "Boil.", duration_s: 60 }, { id: 2, text: "Pour.", duration_s: 5 }],
    edges: [["START", 1], [1, 2], [2, "END"]],
    gold_optimal_s: 65,
  });
  const read = parseJsonl(`${one}\n\n${dag}\n`, "x.jsonl");
  assert.deepEqual(read.ok && [read.value.cases.length, read.value.dags.length], [1, 1]);

  const wrong = parseJsonl(
    `${one}\n${dag.replace("[1,2]", "[1,3]")}\n{"a":1\n${one.replace("crew", "crw")}`,
    "x.jsonl",
  );
  const told = wrong.ok ? [] : wrong.problems.map(formatProblem);
  assert.match(told[0] ?? "", /^x\.jsonl:2:\d+ .*is no node of the plan/);
  assert.match(told[1] ?? "", /^x\.jsonl:3:1 is not JSON/);
  assert.match(told.slice(2).join("\n"), /^x\.jsonl:4:\d+ unknown key "crw" \(did you mean "crew"\?\)/m);

  const twice = parseJsonl('{"name": "a", "name": "b"}', "x.jsonl");
  assert.match(
    twice.ok ? "" : formatProblem(twice.problems[0] ?? assert.fail()),
    /^x\.jsonl:1:15 key ""name"" is there twice|twice/,
  );
  assert.equal(parseJsonl("\n", "x.jsonl").ok, false, "nothing is no file of plans");
});

Deno.test("parseJsonl() has no place for a plan that goes round in a circle", () => {
  const nodes = [{ id: 1, text: "", duration_s: 1 }, { id: 2, text: "", duration_s: 1 }];
  const row = JSON.stringify({ id: "d", task: "", nodes, edges: [[1, 2], [2, 1]], gold_optimal_s: 2 });
  const read = parseJsonl(row, "x.jsonl");
  assert.match(read.ok ? "" : read.problems.map(formatProblem).join(), /wait for each other/);
});

const row = (more: object) =>
  JSON.stringify({
    id: "a",
    task: "x",
    nodes: [{ id: 1, text: "a", duration_s: 3 }, { id: 2, text: "b", duration_s: 4 }],
    edges: [["START", 1], [1, 2], [2, "END"]],
    gold_optimal_s: 7,
    ...more,
  });

Deno.test("parseJsonl() takes a plan's ids for the same as numbers and as texts, and needs no edges to the ends", () => {
  for (const edges of [[["1", "2"]], [["START", "1"], [1, "2"], [2, "END"]], [[1, 2], ["1", 2]]]) {
    const read = parseJsonl(row({ edges }), "x.jsonl");
    assert.ok(read.ok, JSON.stringify(edges));
    assert.deepEqual(read.value.dags.map((dag) => scoreDag(dag).isEqual), [true], JSON.stringify(edges));
  }
});

/** Rows that make no sense, with what is said of them. */
const NO_PLAN: readonly (readonly [more: object, says: RegExp])[] = [
  [{ nodes: [{ id: 1, text: "a", duration_s: 3 }, { id: "1", text: "b", duration_s: 4 }] }, /two nodes have this id/],
  [{ edges: [["END", 1]] }, /nothing comes after the end/],
  [{ edges: [[1, "START"]] }, /nothing comes before the start/],
  [{ edges: [[1, 2], [2, 1]] }, /the nodes wait for each other/],
  [{ edges: [[1, 1]] }, /the nodes wait for each other/],
  [{ edges: [[1, 9]] }, /is no node of the plan/],
  [{ edges: [[1, 2, 3]] }, /must be at most 2; found a list/],
  [{ nodes: [] }, /nodes/],
  [{ nodes: [{ id: 1, text: "a", duration_s: -3 }], edges: [] }, /duration_s/],
  [{ nodes: [{ id: 1, text: "a", duration_s: "3 min" }], edges: [] }, /duration_s/],
];

Deno.test("parseJsonl() says what is wrong with a plan", () => {
  for (const [more, says] of NO_PLAN) {
    const read = parseJsonl(row(more), "x.jsonl");
    assert.ok(!read.ok, JSON.stringify(more));
    assert.match(read.problems.map(formatProblem).join("\n"), says);
  }
});
