import type { Json } from "../../../core/mod.ts";
import type { ModelReply, TurnVerdict } from "../model_hooks.ts";
import { findPlan, type FoundPlan, type PlanTask } from "./plan.ts";
import { memberOf, turned } from "./say.ts";

/** The turn with another text in place of its plan's JSON; `undefined` if it has no plan, or nothing is changed. */
export function onPlan(
  reply: ModelReply,
  change: (plan: FoundPlan) => string | undefined,
): TurnVerdict | undefined {
  const plan = findPlan(reply.text);
  const json = plan && change(plan);
  return plan === undefined || json === undefined || json === plan.json
    ? undefined
    : turned(reply, { text: plan.before + json + plan.after });
}

/** The turn with other tasks in its plan; `undefined` if it has no plan, or nothing is changed. */
export function onTasks(
  reply: ModelReply,
  change: (tasks: readonly PlanTask[]) => readonly PlanTask[] | undefined,
): TurnVerdict | undefined {
  return onPlan(reply, (plan) => {
    const tasks = change(plan.tasks);
    return tasks && plan.render(tasks);
  });
}

/** The task with another value under the first of these names that it has, or under the first of all. */
export function withMember(task: PlanTask, names: readonly string[], value: Json): PlanTask {
  return { ...task, [memberOf(task, names).key]: value };
}
