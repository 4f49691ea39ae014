/** The least time that a run can take: planning, the gold plan's longest chain, summing up. */
import { type CriticalPath, criticalPath } from "../../plan/makespan.ts";
import { isEntry } from "../peers.ts";
import type { TraceView } from "../view.ts";
import { type AttemptWork, round, type StepWork, type TaskWork } from "./work.ts";

/** The least time, and what it is made of. All in milliseconds. */
export interface Optimum extends CriticalPath {
  /** The planner's turns that could not be spared. */
  readonly planningMs: number;
  /** The same of whoever sums up. */
  readonly summingMs: number;
  /** All of it together. */
  readonly ms: number;
  /** All work one after another. */
  readonly serialMs: number;
}

/**
 * The critical path of the gold plan (Kelley and Walker 1959), between the turns of the planner and of whoever sums up. A
 * task takes as long as its first attempt and, where there were more, its last one: the first nobody could have spared,
 * the last is what it came to, and all between, and all waiting, is the subject's own.
 *
 * @returns Why there is none, if there is none: no gold plan, a task of it that was never handed over, a circle.
 */
export function optimumOf(
  view: Pick<TraceView, "trace">,
  tasks: readonly TaskWork[],
  steps: readonly StepWork[],
): Optimum | string {
  const gold = view.trace.scenario.expect?.plan;
  if (gold === undefined) return "the scenario has no gold plan";
  const known = new Map(tasks.map((task) => [task.id, task]));
  const missing = gold.nodes.filter((id) => !known.has(id));
  if (missing.length > 0) return `${missing.join(", ")} of the gold plan was never handed over`;
  const timed = gold.nodes.map((id) => ({
    id,
    dependsOn: gold.edges.filter(([, after]) => after === id).map(([before]) => before),
    duration: ends(known.get(id)?.attempts ?? []).reduce((sum, { ms }) => sum + ms, 0),
  }));
  const path = criticalPath(timed);
  if (path === undefined) return "the gold plan goes round in a circle";
  const planningMs = turns(steps.filter(({ agent }) => isEntry(agent, view)));
  const isSummed = view.trace.crew.synthesizer === true;
  const summingMs = isSummed ? turns(steps.filter(({ agent }) => agent === "synthesizer")) : 0;
  const around = planningMs + summingMs;
  return {
    path: path.path,
    length: round(path.length),
    planningMs,
    summingMs,
    ms: round(around + path.length),
    serialMs: round(around + timed.reduce((sum, { duration }) => sum + duration, 0)),
  };
}

/** The first and the last of some, once if they are one. */
function ends<T>(all: readonly T[]): T[] {
  return all.length > 1 ? [...all.slice(0, 1), ...all.slice(-1)] : [...all];
}

function turns(steps: readonly StepWork[]): number {
  return round(ends(steps).reduce((sum, { start, end }) => sum + (end === undefined ? 0 : end.t - start.t), 0));
}

/** Two tasks of the gold plan that do not depend on each other. */
export interface IndependentPair {
  readonly ids: readonly [string, string];
  /** Whether one was begun only when the other had ended. */
  readonly serialised: boolean;
  /** Events that show it: the end of the one, and the beginning of the other. */
  readonly evidence: readonly number[];
}

/**
 * Every pair of gold tasks that might have run at once, and did run, by the world's record of their first attempts. In
 * the order of events and not of time: much takes no time at all.
 */
export function independentPairs(
  { trace: { scenario } }: Pick<TraceView, "trace">,
  tasks: readonly TaskWork[],
  boundsOf: (attempt: AttemptWork) => Bounds | undefined,
  gold: Order | undefined = scenario.expect?.plan,
): IndependentPair[] {
  if (gold === undefined) return [];
  const before = closure(gold.edges);
  const ran = tasks.filter(({ id }) => gold.nodes.includes(id)).flatMap(({ id, attempts: [first] }) => {
    const bounds = first === undefined ? undefined : boundsOf(first);
    return bounds === undefined ? [] : [{ id, ...bounds }];
  });
  return ran.flatMap((a, i) =>
    ran.slice(i + 1).filter((b) => !before.get(a.id)?.has(b.id) && !before.get(b.id)?.has(a.id)).map((b) => {
      const [early, late] = a.first.seq < b.first.seq ? [a, b] : [b, a];
      const serialised = late.first.seq > early.last.seq;
      return { ids: [a.id, b.id], serialised, evidence: serialised ? [early.last.seq, late.first.seq] : [] } as const;
    })
  );
}

/** Tasks, and which has to come before which. */
export interface Order {
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [before: string, after: string])[];
}

interface Bounds {
  readonly first: { readonly seq: number };
  readonly last: { readonly seq: number };
}

/** All that each task has to wait for, at whatever distance. */
function closure(edges: readonly (readonly [string, string])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  const direct = Map.groupBy(edges, ([, after]) => after);
  for (const [, start] of edges) {
    const seen = new Set<string>();
    const next = [start];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      for (const [before] of direct.get(at) ?? []) {
        if (seen.has(before)) continue;
        seen.add(before);
        next.push(before);
      }
    }
    all.set(start, seen);
  }
  return all;
}
