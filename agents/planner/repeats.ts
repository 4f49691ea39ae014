/** The same work under two names: planners that split too finely ask for it again and again. It is done once. */
import { canonicalJson } from "../../core/mod.ts";
import type { PlanOutcome } from "./outcome.ts";
import type { PlanTask } from "./plan.ts";

/** A task that is another one under a new name. */
export interface RepeatedTask {
  /** Its id in the plan. */
  readonly id: string;
  /** Id of the task that is done in its place. */
  readonly of: string;
}

/**
 * Takes out of a plan whatever another of its tasks does already: the same specialist, objective, inputs, facts and
 * dependencies. What depended on it depends on the one that stays, which is the first in the plan. How many steps it
 * was granted makes no difference.
 *
 * @example
 * ```ts
 * import { parsePlan } from "./parse.ts";
 * import { withoutRepeats } from "./repeats.ts";
 * import assert from "node:assert/strict";
 *
 * const tasks = ["a", "b"].map((id) => ({ id, specialist: "orders", objective: "Find order 1182." }));
 * const outcome = withoutRepeats(parsePlan(JSON.stringify({ tasks }), { roster: ["orders"] }));
 * assert.deepEqual(outcome.status !== "reject" && outcome.repeated, [{ id: "b", of: "a" }]);
 * ```
 */
export function withoutRepeats(outcome: PlanOutcome): PlanOutcome {
  if (outcome.status === "reject") return outcome;
  let { tasks } = outcome.plan;
  const repeated: RepeatedTask[] = [];
  // Tasks that wait for equal tasks are equal only once those are one, so it takes a round for each link of a chain.
  for (let found = repeatsIn(tasks); found.size > 0; found = repeatsIn(tasks)) {
    repeated.push(...[...found].map(([id, of]) => ({ id, of })));
    tasks = tasks.filter(({ id }) => !found.has(id)).map((task) => ({
      ...task,
      dependsOn: [...new Set(task.dependsOn.map((id) => found.get(id) ?? id))],
    }));
  }
  return repeated.length === 0 ? outcome : { ...outcome, plan: { ...outcome.plan, tasks }, repeated };
}

/** Ids of tasks that an earlier one does already, with the id of that one. */
function repeatsIn(tasks: readonly PlanTask[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  const repeats = new Map<string, string>();
  for (const task of tasks) {
    const work = workOf(task);
    const known = first.get(work);
    if (known === undefined) first.set(work, task.id);
    else repeats.set(task.id, known);
  }
  return repeats;
}

/** What a task is, whatever it is called. */
function workOf({ specialist, objective, inputs, dependsOn, uses }: PlanTask): string {
  const words = objective.trim().replace(/\s+/g, " ").toLowerCase();
  return canonicalJson({
    specialist,
    objective: words,
    inputs,
    dependsOn: [...dependsOn].sort(),
    uses: uses === undefined ? null : [...uses].sort(),
  });
}
