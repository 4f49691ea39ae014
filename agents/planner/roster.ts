import type { DroppedTask } from "./outcome.ts";
import type { PlanTask } from "./plan.ts";

/** Tasks that can run, and those that cannot, both in the order of the plan. */
export interface RosterSplit {
  readonly kept: PlanTask[];
  readonly dropped: DroppedTask[];
}

/**
 * Takes out the tasks whose specialist is not on the roster, and those that depend on one that was taken out.
 *
 * A name has to match exactly: a specialist that is "nearly" on the roster is a guess, and the answer would carry it.
 */
export function splitByRoster(tasks: readonly PlanTask[], roster: readonly string[]): RosterSplit {
  const known = new Set(roster);
  const unlocks = new Map<string, string[]>();
  const reasons = new Map<string, DroppedTask["reason"]>();
  for (const { id, specialist, dependsOn } of tasks) {
    if (!known.has(specialist)) reasons.set(id, "unknown_specialist");
    for (const other of dependsOn) unlocks.set(other, [...(unlocks.get(other) ?? []), id]);
  }
  // A Map is visited in the order of insertion, and entries that are added on the way are visited too.
  for (const id of reasons.keys()) {
    for (const next of unlocks.get(id) ?? []) if (!reasons.has(next)) reasons.set(next, "depends_on_dropped");
  }
  const dropped = tasks.flatMap(({ id, specialist, objective }) => {
    const reason = reasons.get(id);
    return reason === undefined ? [] : [{ id, specialist, objective, reason }];
  });
  return { kept: tasks.filter(({ id }) => !reasons.has(id)), dropped };
}
