/** How long a plan takes if everything that may run at the same time does. */
import type { Match } from "./match.ts";
import type { GoldPlan, PlanNode } from "./node.ts";
import { type Ordered, topological } from "./order.ts";

/** A task with its duration, in any one unit. */
export interface Timed extends Ordered {
  /** How long it takes. */
  readonly duration: number;
}

/** The longest chain of a plan. */
export interface CriticalPath {
  /** Its length, in the unit of the durations. */
  readonly length: number;
  /** Ids of its tasks, in order. Of chains of equal length, the one that ends first in the list. */
  readonly path: readonly string[];
}

/**
 * The critical path (Kelley and Walker 1959): the heaviest chain of tasks, which is the makespan with as many workers as
 * one likes. Exact, in one pass over the edges; `undefined` if the tasks go round in a circle.
 *
 * @example
 * ```ts
 * import { criticalPath } from "./makespan.ts";
 * import assert from "node:assert/strict";
 *
 * const tasks = [
 *   { id: "a", duration: 3, dependsOn: [] },
 *   { id: "b", duration: 5, dependsOn: [] },
 *   { id: "c", duration: 1, dependsOn: ["a", "b"] },
 * ];
 * assert.deepEqual(criticalPath(tasks), { length: 6, path: ["b", "c"] });
 * ```
 */
export function criticalPath(tasks: readonly Timed[]): CriticalPath | undefined {
  const sorted = topological(tasks);
  if (sorted === undefined) return undefined;
  const ends: number[] = tasks.map(() => 0);
  const via: (number | undefined)[] = tasks.map(() => undefined);
  for (const place of sorted.order) {
    let start = 0;
    for (const other of sorted.before[place] ?? []) {
      const end = ends[other] ?? 0;
      if (via[place] === undefined || end > start) [start, via[place]] = [end, other];
    }
    ends[place] = start + (tasks[place]?.duration ?? 0);
  }
  const length = ends.reduce((most, end) => Math.max(most, end), 0);
  const path: string[] = [];
  const last = ends.indexOf(length);
  for (let at: number | undefined = last < 0 ? undefined : last; at !== undefined; at = via[at]) {
    path.push(tasks[at]?.id ?? "");
  }
  return { length, path: path.reverse() };
}

/** A plan's time beside the best there is. In milliseconds. */
export interface Makespan {
  /** Critical path of the plan; `null` if it has a cycle. */
  readonly plan: number | null;
  /** Critical path of the gold plan. */
  readonly optimum: number;
  /** plan / optimum; `null` if a gold node is missing (a plan that leaves work out is not fast) or there is no time at all. */
  readonly stretch: number | null;
}

/**
 * Makespan of a plan on the gold plan's durations; `undefined` if a gold node has none. A node that is no gold node takes
 * as long as the longest gold node of its specialist, or the longest of all.
 */
export function makespan(nodes: readonly PlanNode[], gold: GoldPlan, match: Match): Makespan | undefined {
  const timed = gold.nodes.flatMap(({ id, specialist, dependsOn, durationMs }) =>
    durationMs === undefined ? [] : [{ id, specialist, dependsOn, duration: durationMs }]
  );
  const best = criticalPath(timed);
  if (timed.length < gold.nodes.length || best === undefined) return undefined;
  const longest = new Map<string | undefined, number>();
  let most = 0;
  for (const { specialist, duration } of timed) {
    longest.set(specialist, Math.max(longest.get(specialist) ?? 0, duration));
    most = Math.max(most, duration);
  }
  const own = criticalPath(nodes.map(({ id, specialist, dependsOn }, place) => {
    const goldPlace = match.goldOf.get(place);
    const known = goldPlace === undefined ? undefined : timed[goldPlace]?.duration;
    return { id, dependsOn, duration: known ?? longest.get(specialist) ?? most };
  }));
  const isWhole = match.pairs.length === gold.nodes.length && best.length > 0;
  return {
    plan: own?.length ?? null,
    optimum: best.length,
    stretch: own === undefined || !isWhole ? null : own.length / best.length,
  };
}
