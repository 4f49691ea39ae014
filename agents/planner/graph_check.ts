import type { Problem } from "./outcome.ts";
import type { PlanTask } from "./plan.ts";
import { quote } from "./repairs.ts";

/** What keeps tasks from being a graph that can be run: an id twice, a dependency on nothing, a cycle. */
export function checkGraph(tasks: readonly PlanTask[]): Problem | undefined {
  const byId = new Map<string, PlanTask>();
  for (const task of tasks) {
    if (byId.has(task.id)) return { reason: "duplicate_id", detail: `two tasks have the id "${quote(task.id)}"` };
    byId.set(task.id, task);
  }
  for (const { id, dependsOn } of tasks) {
    const missing = dependsOn.find((other) => !byId.has(other));
    if (missing !== undefined) {
      const detail = `task "${quote(id)}" depends on "${quote(missing)}", which is no task of the plan`;
      return { reason: "dangling_dependency", detail };
    }
  }
  const cycle = findCycle(byId);
  if (cycle === undefined) return undefined;
  const shown = cycle.slice(0, 8).map(quote).join(" → ");
  return { reason: "cycle", detail: `tasks wait for each other: ${shown}${cycle.length > 8 ? " → …" : ""}` };
}

/** A cycle as the ids along it, the first one again at the end. */
function findCycle(byId: ReadonlyMap<string, PlanTask>): string[] | undefined {
  const waiting = new Map<string, number>();
  const unlocks = new Map<string, string[]>();
  for (const { id, dependsOn } of byId.values()) {
    waiting.set(id, dependsOn.length);
    for (const other of dependsOn) {
      const list = unlocks.get(other);
      if (list === undefined) unlocks.set(other, [id]);
      else list.push(id);
    }
  }
  const ready = [...byId.keys()].filter((id) => waiting.get(id) === 0);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    waiting.delete(id);
    for (const next of unlocks.get(id) ?? []) {
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  // Every task that is left waits for another that is left, so a walk along them comes round.
  const path = new Set<string>();
  let [at] = waiting.keys();
  while (at !== undefined && !path.has(at)) {
    path.add(at);
    at = byId.get(at)?.dependsOn.find((id) => waiting.has(id));
  }
  if (at === undefined) return undefined;
  const ids = [...path];
  return [...ids.slice(ids.indexOf(at)), at];
}
