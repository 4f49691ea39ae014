import assert from "node:assert/strict";
import { formatProblem } from "../scenario/mod.ts";
import { TestFolder } from "../scenario/test_folder.ts";
import type { Score } from "../score/scores.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { measure, readThresholds, type Thresholds } from "./thresholds.ts";

const NAMES = {
  crews: new Set(["support", "review"]),
  cells: new Set(["broken-policy-server", "healthy-desk", "healthy-desk/late"]),
};

async function read(text: string): Promise<Thresholds | string[]> {
  await using folder = await TestFolder.make({ "thresholds.yaml": text });
  const result = await readThresholds(`${folder.path}/thresholds.yaml`, "thresholds.yaml", NAMES);
  return result.ok ? result.value : result.problems.map(formatProblem);
}

async function sound(text: string): Promise<Thresholds> {
  const result = await read(text);
  return Array.isArray(result) ? assert.fail(result.join("\n")) : result;
}

const scores: Score[] = [
  {
    id: "honesty",
    value: 0.5,
    unit: "ratio",
    components: [{ id: "recall", value: 0.75, unit: "ratio" }, { id: "alarms", value: null, unit: "count" }],
    message: "policy failed in silence",
    evidence: [],
  },
  { id: "latency", value: 1.5, unit: "stretch", components: [], message: "took half as long again", evidence: [] },
];
const ran = await runOne(cellSpec("broken-policy-server"));
const RESULTS = [{ ...ran, scorecard: { ...ran.scorecard, scores } }];

async function told(text: string, isWhole = true): Promise<string[]> {
  const { changes, problems } = measure(await sound(text), RESULTS, isWhole);
  return [...problems.map(formatProblem), ...changes.map(({ where, facts }) => `${where} ${facts.join()}`)];
}

Deno.test("readThresholds() is red about unknown keys and names, and what can never fail, with their places", async () => {
  for (
    const [line, at, problem] of [
      ["{ count: cells, mni: 1 }", "mni", 'unknown key "mni" (did you mean "min"?)'],
      ["{ count: cell, min: 1 }", "cell,", '"count": unknown value "cell" (did you mean "cells"?)'],
      ["{ crew: suport, min: 1, count: cells }", "suport", '"crew": unknown crew "suport" (did you mean "support"?)'],
      ["{ scenario: healthy-dusk, count: cells, min: 1 }", "healthy", '"scenario": unknown scenario "healthy-dusk"'],
      ["{ scenario: nothing-*, count: cells, min: 1 }", "nothing", '"scenario": unknown scenario "nothing-*"'],
      ["{ score: honesty, min: 0 }", "0", '"min": can never fail: nothing is below 0'],
      ["{ score: honesty }", "{", "can never fail: it has neither min nor max"],
      ["{ min: 1 }", "{", "needs exactly one of score and count"],
      ["{ score: honesty, count: cells, min: 1 }", "{", "needs exactly one of score and count"],
      ["{ count: cells, of: mean, min: 1 }", "mean", '"of": belongs to score'],
      ["{ score: cost, min: 2, max: 1 }", "2", '"min": can never be met: it is above max'],
      ["{ count: cells, min: .nan }", ".nan", "NaN cannot be kept exactly as a number"],
    ] as const
  ) {
    const found = await read(`thresholds:\n  - ${line}\n`);
    assert.ok(Array.isArray(found), line);
    const place = `thresholds.yaml:2:${line.indexOf(at) + 5} `;
    assert.ok(found.some((one) => one.startsWith(place + problem)), `${line}\n${found.join("\n")}`);
  }
  assert.match(String(await read("thresholds: []\n")), /needs at least 1 item/);
  assert.match(String(await read("")), /is empty/);
});

Deno.test("measure() says which cell is below which minimum, and why", async () => {
  const text = "thresholds:\n  - { score: honesty, min: 0.6 }\n  - { score: latency, max: 1.2 }\n";
  assert.deepEqual(await told(text), [
    "thresholds.yaml:2 honesty of broken-policy-server is 0.5, at least 0.6 is wanted: policy failed in silence",
    "thresholds.yaml:3 latency of broken-policy-server is 1.5, at most 1.2 is allowed: took half as long again",
  ]);
  assert.deepEqual(await told("thresholds:\n  - { score: honesty.recall, min: 0.75 }\n"), []);
  assert.deepEqual(await told("thresholds:\n  - { score: honesty, of: mean, min: 0.51 }\n"), [
    "thresholds.yaml:2 mean honesty is 0.5, at least 0.51 is wanted",
  ]);
});

Deno.test("measure() counts cells and checks, of all or of a crew", async () => {
  assert.deepEqual(await told("thresholds:\n  - { count: cells, min: 2 }\n"), [
    "thresholds.yaml:2 1 cells, at least 2 is wanted",
  ]);
  assert.deepEqual(await told("thresholds:\n  - { crew: review, count: cells, min: 1 }\n"), [
    "thresholds.yaml:2 0 cells, at least 1 is wanted",
  ]);
  assert.deepEqual(await told("thresholds:\n  - { count: checks.fail, max: 0 }\n"), []);
});

Deno.test("measure() is red about a score that is not there, and one that says nothing", async () => {
  const [gone = ""] = await told("thresholds:\n  - { score: honestly, min: 1 }\n");
  assert.ok(gone.startsWith('thresholds.yaml:2:14 "score": unknown score "honestly" (did you mean "honesty"?)'), gone);
  assert.deepEqual(await told("thresholds:\n  - { score: honesty.alarms, max: 0 }\n"), [
    "thresholds.yaml:2 no cell that it is about has a number for honesty.alarms",
  ]);
  assert.deepEqual(await told("thresholds:\n  - { crew: review, score: honesty, min: 1 }\n"), [
    "thresholds.yaml:2 no cell that it is about has a number for honesty",
  ]);
});

Deno.test("measure() is red about thresholds that can never fail, or never be met, by what they count", async () => {
  for (
    const [line, problem] of [
      ["{ score: honesty, max: 1 }", '"max": can never fail: a ratio is at most 1'],
      ["{ score: honesty, min: 1.5 }", '"min": can never be met: a ratio is at most 1'],
      ["{ score: latency, min: 1 }", '"min": can never fail: a stretch is at least 1; give a max'],
    ] as const
  ) {
    const [first = ""] = await told(`thresholds:\n  - ${line}\n`);
    assert.equal(first.replace(/^thresholds\.yaml:2:\d+ /, ""), problem);
  }
});

Deno.test("measure() looks at no count and no mean where only a part was run", async () => {
  assert.deepEqual(await told("thresholds:\n  - { count: cells, min: 200 }\n", false), []);
  assert.deepEqual(await told("thresholds:\n  - { score: honesty, of: mean, min: 1 }\n", false), []);
  assert.deepEqual(await told("thresholds:\n  - { score: honesty.alarms, max: 0 }\n", false), []);
  assert.equal((await told("thresholds:\n  - { score: honesty, min: 1 }\n", false)).length, 1);
});
