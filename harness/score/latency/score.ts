/**
 * How much longer a run took than it had to.
 *
 * stretch = makespan / optimum, where the optimum is the critical path of the gold plan (Kelley and Walker 1959), each task
 * as long as its own work took in the world, injected latency included and a hang counted as its deadline, with the
 * planner's turn before it and the synthesizer's after it. It is the lower bound of any schedule with enough workers (Graham
 * 1969: no schedule beats the longest chain), so stretch is 1 at best.
 *
 * An optimum of no time: 1 if the run took none either; `null` if it did, since no multiple of nothing says how much.
 * `null` also without a gold plan, with a task of it that was never handed over (what leaves work out is not fast), and for
 * a run that was faster than the optimum, since it cannot have waited for what its tasks depend on.
 *
 * And of a subject that does not show its agents and packets: then the makespan alone is known.
 *
 * Exact in `sim`, where it is virtual time. In `wire` every part is `null`: what a machine adds is a figure of runs, see
 * `harness/reliability/twin.ts`.
 */
import { eventsOf } from "../events.ts";
import { makespan } from "../latency.ts";
import { isWorker } from "../peers.ts";
import type { Score, ScoreComponent } from "../scores.ts";
import { unseen } from "../shown.ts";
import type { TraceView } from "../view.ts";
import { cancellationLag, retryWaste, worstBroken } from "./lost.ts";
import { independentPairs, type Optimum, optimumOf } from "./path.ts";
import { boundsOf, round, stepsOf, workOf } from "./work.ts";

/** Every part, in order, with what it counts. */
const PARTS = [
  ["makespan", "ms"],
  ["optimum", "ms"],
  ["critical_path", "ms"],
  ["efficiency", "ratio"],
  ["first_dispatch", "ms"],
  ["serialised_pairs", "count"],
  ["independent_pairs", "count"],
  ["worst_broken_worker", "ms"],
  ["cancellation_lag", "ms"],
  ["retry_waste", "ms"],
  ["retry_waste_calls", "count"],
] as const satisfies readonly (readonly [string, ScoreComponent["unit"]])[];

type Values = Partial<Record<typeof PARTS[number][0], number | null>>;

/**
 * Scores latency. `efficiency` is optimum / makespan: the speed-up that was had over the one that could be had, 0 to 1.
 * `worst_broken_worker` is T minus T without it on the trace's own durations; beside its healthy twin a run shows the same
 * as measured, see `harness/reliability/twin.ts`.
 */
export function latencyScore(view: TraceView): Score {
  const took = makespan(view);
  const settled = eventsOf(view.trace.events, "bench", "run.settled");
  if (view.trace.cell.lane !== "sim") return score(null, {}, "time is exact in sim only", []);
  if (took === undefined) return score(null, {}, "the run was not measured", []);
  const hidden = unseen(view.shown, ["agents", "packets"]);
  if (hidden !== undefined) {
    const message = `took ${took} ms; ${hidden}, so what its tasks needed is not known`;
    return score(null, { makespan: took }, message, settled.map(({ seq }) => seq));
  }
  const steps = stepsOf(view);
  const tasks = workOf(view);
  const optimum = optimumOf(view, tasks, steps);
  const pairs = independentPairs(view, tasks, boundsOf);
  const serialised = pairs.filter((pair) => pair.serialised);
  const broken = worstBroken(view, tasks);
  const lag = cancellationLag(view, tasks);
  // Which attempt was used, the answer's sections tell.
  const waste = view.shown.has("answer") ? retryWaste(view, tasks, steps) : undefined;
  const begun = eventsOf(view.trace.events, "bench", "run.start")[0]?.t ?? 0;
  const first = steps.find(({ agent }) => isWorker(agent, view));
  const { value, why } = typeof optimum === "string" ? { value: null, why: optimum } : stretchOf(took, optimum);
  const isKnown = typeof optimum !== "string";
  const message = [
    `took ${took} ms, ${why}`,
    ...(serialised.length > 0
      ? [`${serialised.map(({ ids }) => ids.join(" and ")).join(", ")} did not run at once`]
      : []),
    ...(broken !== undefined && broken.ms > 0 ? [`${broken.ms} ms were lost to ${broken.id}`] : []),
    ...(lag !== undefined && lag.ms > 0 ? [`a call went on for ${lag.ms} ms when its time was over`] : []),
    ...(waste !== undefined && waste.calls > 0
      ? [`${waste.calls} calls (${waste.ms} ms) were spent on attempts that were not used`]
      : []),
  ].join("; ");
  const evidence = [
    ...serialised.flatMap((pair) => pair.evidence),
    ...(lag !== undefined && lag.ms > 0 ? [lag.seq] : []),
    ...waste?.evidence ?? [],
    ...settled.map(({ seq }) => seq),
  ];
  return score(
    value,
    {
      makespan: took,
      optimum: isKnown ? optimum.ms : null,
      critical_path: isKnown ? optimum.length : null,
      efficiency: value === null ? null : digits(1 / value),
      first_dispatch: first === undefined ? null : round(first.start.t - begun),
      serialised_pairs: pairs.length === 0 ? null : serialised.length,
      independent_pairs: pairs.length,
      worst_broken_worker: broken?.ms ?? null,
      cancellation_lag: lag?.ms ?? null,
      retry_waste: waste?.ms ?? null,
      retry_waste_calls: waste?.calls ?? null,
    },
    message,
    [...new Set(evidence)].sort((a, b) => a - b),
  );
}

function stretchOf(took: number, { ms, path }: Optimum): { readonly value: number | null; readonly why: string } {
  const chain = path.join(", ") || "nothing";
  if (ms === 0) {
    return took === 0
      ? { value: 1, why: "and could not take less" }
      : { value: null, why: "of which its tasks needed none: no multiple of nothing says how much that is" };
  }
  if (took < ms) return { value: null, why: `and its tasks need ${ms} ms one after another (${chain})` };
  if (took === ms) return { value: 1, why: `as long as its longest chain (${chain})` };
  return {
    value: digits(took / ms),
    why: `${(took / ms).toFixed(2)} times the ${ms} ms of its longest chain (${chain})`,
  };
}

function score(value: number | null, parts: Values, message: string, evidence: readonly number[]): Score {
  const components = PARTS.map(([id, unit]): ScoreComponent => ({ id, value: parts[id] ?? null, unit }));
  return { id: "latency", value, unit: "stretch", components, message, evidence };
}

/** Six significant digits: more would be noise of the floating point. */
function digits(value: number): number {
  return Number(value.toPrecision(6));
}
