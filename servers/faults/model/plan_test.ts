import { findPlan } from "./plan.ts";
import assert from "node:assert/strict";

const TASK = '{"specialist": "a", "objective": "x [1] {2} \\"}"}';

Deno.test("findPlan() finds the first JSON that holds tasks, whatever is around it", () => {
  for (const json of [`{"tasks": [${TASK}]}`, `{"plan": [${TASK}], "why": "x"}`, `[${TASK}]`]) {
    const found = findPlan(`Plan {see below}: [1]\n${json}\nDone {}.`);
    assert.equal(found?.json, json);
    assert.equal(found.before + found.json + found.after, `Plan {see below}: [1]\n${json}\nDone {}.`);
    assert.deepEqual(JSON.parse(found.render(found.tasks)), JSON.parse(json));
  }
});

Deno.test("findPlan() takes nothing else for a plan", () => {
  for (
    const text of ["", "{", "[[[[", '{"tasks": []}', '{"tasks": ["a"]}', '{"note": {"specialist": "a"}}', "no plan"]
  ) {
    assert.equal(findPlan(text), undefined, text);
  }
});

Deno.test("findPlan() gives a text made of brackets up after a bounded number of them", () => {
  assert.equal(findPlan("[".repeat(500_000)), undefined);
});
