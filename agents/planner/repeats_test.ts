import assert from "node:assert/strict";
import { parsePlan } from "./parse.ts";
import { withoutRepeats } from "./repeats.ts";

function read(
  ...tasks: { id: string; specialist?: string; objective?: string; dependsOn?: string[]; inputs?: object }[]
) {
  const written = tasks.map((task) => ({ specialist: "a", objective: "Do it.", ...task }));
  const outcome = withoutRepeats(parsePlan(JSON.stringify({ tasks: written }), { roster: ["a", "b"] }));
  assert.ok(outcome.status !== "reject");
  return { tasks: outcome.plan.tasks.map(({ id, dependsOn }) => [id, dependsOn]), repeated: outcome.repeated };
}

Deno.test("withoutRepeats() leaves a plan alone in which no task is another", () => {
  const inputs = { order_id: "1" };
  const { tasks, repeated } = read(
    { id: "1" },
    { id: "2", specialist: "b" },
    { id: "3", objective: "Do more." },
    { id: "4", inputs },
    { id: "5", dependsOn: ["1"] },
  );
  assert.deepEqual(tasks.map(([id]) => id), ["1", "2", "3", "4", "5"]);
  assert.equal(repeated, undefined);
});

Deno.test("withoutRepeats() keeps the first of equal tasks, whatever they are called and granted", () => {
  const { tasks, repeated } = read({ id: "1" }, { id: "constructor", objective: " do  IT." }, { id: "3" });
  assert.deepEqual(tasks, [["1", []]]);
  assert.deepEqual(repeated, [{ id: "constructor", of: "1" }, { id: "3", of: "1" }]);
});

Deno.test("withoutRepeats() makes one chain of equal chains, in whatever order they stand", () => {
  const { tasks, repeated } = read(
    { id: "2b", objective: "Then this.", dependsOn: ["1b"] },
    { id: "1a" },
    { id: "1b" },
    { id: "2a", objective: "Then this.", dependsOn: ["1a"] },
    { id: "3", objective: "At last.", dependsOn: ["2a", "2b"] },
  );
  assert.deepEqual(tasks, [["2b", ["1a"]], ["1a", []], ["3", ["2b"]]]);
  assert.deepEqual(repeated, [{ id: "1b", of: "1a" }, { id: "2a", of: "2b" }]);
});
