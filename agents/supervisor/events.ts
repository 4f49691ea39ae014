/** What a supervisor tells of itself: details of its events. */
import { childId, type Json } from "../../core/mod.ts";
import type { GraphEvent } from "../engine/mod.ts";
import type { Emit } from "../observe.ts";
import type { PlannerReply } from "../planner/planner.ts";
import type { Decision } from "./state.ts";

/** The span of a task: it stands in its superstep. */
export function taskSpan(superstep: number, task: string): string {
  return childId(`run/s${superstep}`, task);
}

/** What the parser made of a planner's reply. */
export function planEvent({ outcome }: PlannerReply, attempt: number): { [key: string]: Json } {
  const common = {
    attempt,
    status: outcome.status,
    repairs: outcome.repairs.map((repair) => ({ ...repair })),
    dropped: outcome.dropped.map((task) => ({ ...task })),
  };
  if (outcome.status === "reject") {
    const { reason, failure: { code, detail } } = outcome;
    return { ...common, reason, code, detail };
  }
  const { plan: { tasks, facts }, repeated } = outcome;
  return {
    ...common,
    tasks,
    ...(facts === undefined ? {} : { facts }),
    ...(repeated === undefined ? {} : { repeated: repeated.map((task) => ({ ...task })) }),
  };
}

/** What is done about a failure. */
export function routeEvent({ packetId, worker, code, strategy, attempt, delayMs, to, passed }: Decision): {
  [key: string]: Json;
} {
  return {
    packetId,
    worker,
    code,
    strategy,
    attempt,
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(to === undefined ? {} : { to }),
    ...(passed.length === 0 ? {} : { passed: passed.map((one) => ({ ...one })) }),
  };
}

/** Tells of the engine's own events. */
export function emitGraphEvent(event: GraphEvent, emit: Emit): void {
  switch (event.type) {
    case "superstep_start":
      return emit("superstep.start", `run/s${event.superstep}`, { tasks: [...event.tasks] });
    case "superstep_end":
      return emit("superstep.end", `run/s${event.superstep}`, { tasks: [...event.tasks] });
    case "task_start":
      return emit("task.start", taskSpan(event.superstep, event.task), { node: event.node });
    case "task_end":
      return emit("task.end", taskSpan(event.superstep, event.task), { node: event.node, outcome: event.outcome });
  }
}
