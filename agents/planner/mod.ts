/**
 * From a model's text to a plan: the parser, and what it takes and mends.
 *
 * @module
 */
export { type FinishReason, parsePlan, type ParsePlanOptions } from "./parse.ts";
export {
  type AcceptedPlan,
  type DroppedTask,
  type PlanOutcome,
  type PlanRejection,
  type RejectedPlan,
  REJECTIONS,
} from "./outcome.ts";
export { type Repair, type RepairId, REPAIRS } from "./repairs.ts";
export { type RepeatedTask, withoutRepeats } from "./repeats.ts";
export { PLAN_EXAMPLE, PLAN_FORMAT } from "./plan.ts";
export { askPlanner, type PlannerReply, type PlanningInput } from "./planner.ts";
