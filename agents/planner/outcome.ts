import type { Failure, FailureCode } from "../../core/mod.ts";
import type { Plan } from "./plan.ts";
import type { Repair } from "./repairs.ts";
import type { RepeatedTask } from "./repeats.ts";

/** Why a reply was rejected, and the failure code that each reason has for routing. */
export const REJECTIONS = {
  /** The model or its provider declined. */
  refusal: "refused",
  /** There is no text, or no plan in it. */
  no_plan: "plan_malformed",
  /** The reply was cut: at its limit, or inside JSON, a string or reasoning that never ends. */
  truncated: "plan_malformed",
  /** A plan was begun in text that is not JSON and cannot be mended without guessing. */
  malformed_json: "plan_malformed",
  /** Brackets nest deeper than any plan does. */
  too_deep: "plan_malformed",
  /** Two complete plans that differ, or tasks outside the plan. */
  rival_plans: "plan_malformed",
  /** One field has two values, under two names or under the same one. */
  conflicting_field: "plan_malformed",
  /** A field is missing, has a wrong type, or a key that the plan does not know carries part of the plan. */
  wrong_shape: "plan_malformed",
  /** A list with no tasks in it. */
  empty: "plan_malformed",
  too_many_tasks: "plan_malformed",
  duplicate_id: "plan_malformed",
  dangling_dependency: "plan_malformed",
  /** A task waits for itself, directly or through others. */
  cycle: "plan_malformed",
  /** No task is left: all were for specialists that the roster does not have, or depended on such. */
  unknown_specialist: "unknown_specialist",
} as const satisfies Record<string, FailureCode>;

/** Names one reason for a rejection. */
export type PlanRejection = keyof typeof REJECTIONS;

/** A task that was left out by name, so that the answer can say so. */
export interface DroppedTask {
  /** The task's id in the plan. */
  readonly id: string;
  /** The name that the planner gave. Untrusted. */
  readonly specialist: string;
  /** What it was to do. */
  readonly objective: string;
  /** Whether its own specialist is unknown, or that of a task it waits for. */
  readonly reason: "unknown_specialist" | "depends_on_dropped";
}

/** A reason with its explanation, before it becomes an outcome. */
export interface Problem {
  /** Which kind it is. */
  readonly reason: PlanRejection;
  /** What is wrong and where, for people and for the one re-ask. */
  readonly detail: string;
}

/** A usable plan. `ok`: as asked. `repair`: mended, see `repairs`. Either may have dropped tasks. */
export interface AcceptedPlan {
  /** Whether anything was mended. */
  readonly status: "ok" | "repair";
  /** The tasks that can run. */
  readonly plan: Plan;
  /** The tasks that cannot, each to be named in the answer. */
  readonly dropped: DroppedTask[];
  /** The mends that were made. */
  readonly repairs: Repair[];
  /** Tasks that are left out because another does the same; not there if there are none. */
  readonly repeated?: readonly RepeatedTask[];
}

/** No usable plan, and why. */
export interface RejectedPlan {
  /** Nothing of it runs. */
  readonly status: "reject";
  /** The code for routing, and what is wrong and where, for people and for the one re-ask. */
  readonly failure: Failure;
  /** The exact reason. */
  readonly reason: PlanRejection;
  /** Never there. */
  readonly plan?: undefined;
  /** With reason `unknown_specialist`: all the tasks. */
  readonly dropped: DroppedTask[];
  /** The mends that were made before it was rejected. */
  readonly repairs: Repair[];
}

/** What became of a planner's reply. */
export type PlanOutcome = AcceptedPlan | RejectedPlan;

/** Makes the outcome of a rejected reply. */
export function reject(problem: Problem, dropped: DroppedTask[] = [], repairs: Repair[] = []): RejectedPlan {
  const { reason, detail } = problem;
  return { status: "reject", reason, failure: { code: REJECTIONS[reason], detail }, dropped, repairs };
}
