/**
 * Plan quality: a plan against a gold plan, free of models. Pure functions, but for the reading of files.
 *
 * @module
 */
export type { GoldNode, GoldPlan, PlannedCall, PlanNode, RequestPart } from "./node.ts";
export { type Match, matchNodes, type Pair, SAME_TEXT } from "./match.ts";
export { type Ratio, ratio } from "./ratio.ts";
export { type Gate, type GateId, GATES } from "./gates.ts";
export { type Component, type ComponentId, WEIGHTS } from "./components.ts";
export { type CriticalPath, criticalPath, type Makespan, makespan, type Timed } from "./makespan.ts";
export type { Ordered } from "./order.ts";
export { MAX_NODES, type PlanInput, type PlanScore, scorePlan } from "./score.ts";
export {
  nodesOf,
  type PlannerReply,
  type PlanningTask,
  type ReplyScore,
  type RosterEntry,
  scorePlanReply,
} from "./reply.ts";
export type { CaseFile } from "./case_file.ts";
export type { DagRow, DagScore } from "./dag_file.ts";
export { type PlanFile, planFiles, readPlanFile } from "./read.ts";
export {
  type DagLine,
  fromFile,
  type NamedReply,
  type PlanReport,
  type PlanSummary,
  type ReplyRow,
  type ReplySource,
  scoreFiles,
  summarize,
  taskOf,
} from "./report.ts";
