import assert from "node:assert/strict";
import { before, type Done, failureText, type PlannedTask, ready, reasonOf } from "./plan.ts";

const task = (id: string, dependsOn: string[] = []): PlannedTask => ({
  id,
  specialist: id,
  objective: "Do it.",
  dependsOn,
});
const done = (one: PlannedTask): Done => ({ task: one, text: "found" });

Deno.test("ready() gives the tasks whose forerunners are done, each once", () => {
  const tasks = [task("a"), task("b"), task("c", ["a", "b"])];
  const [a, b] = tasks;
  assert.ok(a !== undefined && b !== undefined);
  assert.deepEqual(ready(tasks, []).map(({ id }) => id), ["a", "b"]);
  assert.deepEqual(ready(tasks, [done(a)]).map(({ id }) => id), ["b"]);
  assert.deepEqual(ready(tasks, [done(a), done(b)]).map(({ id }) => id), ["c"]);
  assert.deepEqual(before(task("c", ["a"]), [done(a), done(b)]), [done(a)]);
});

Deno.test("ready() never gives tasks in a circle, so that a run comes to its end", () => {
  assert.deepEqual(ready([task("a", ["b"]), task("b", ["a"])], []), []);
});

Deno.test("failureText() names who failed and why, and marks what stands in as cached with its date", () => {
  const fallbacks = [{ specialist: "policy", asOf: "2026-07", source: "snapshot", text: "Five days.", canary: "X" }];
  assert.equal(failureText("billing", "", { fallbacks }), "billing failed.");
  assert.equal(
    failureText("policy", "timed out", { fallbacks }),
    "policy failed: timed out.\nFrom a cached snapshot as of 2026-07: Five days.",
  );
});

Deno.test("reasonOf() says an error in one line", () => {
  assert.equal(reasonOf(new Error("it\n  broke.")), "it broke");
  assert.equal(reasonOf("text"), "text");
});
