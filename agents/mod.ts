/**
 * What is judged: contracts, engine, hub, planner, workers, supervisor, models, crews and subjects.
 *
 * Two things stand under a name of their own: {@linkcode contracts}, the schemas, whose names are those of the types;
 * and {@linkcode planner}, the words of the parser, most of which mean little without it.
 *
 * @module
 */
export * as contracts from "./contracts.ts";
export * as planner from "./planner/mod.ts";
export type { Plan, PlanTask } from "./planner/plan.ts";
export {
  type AcceptedPlan,
  type DroppedTask,
  parsePlan,
  type ParsePlanOptions,
  type PlanOutcome,
  type PlanRejection,
  type RejectedPlan,
  type Repair,
  type RepairId,
  type RepeatedTask,
} from "./planner/mod.ts";
export type {
  AgentMessage,
  Answer,
  AnswerFailure,
  ClaimVerdict,
  Effect,
  Finding,
  Handoff,
  Observation,
  Provenance,
  Report,
  ReportedFailure,
  Section,
  Severity,
  Usage,
} from "./types.ts";
export { crewProblems, CREWS, namesAlike, namesAlikeProblem } from "./crews/mod.ts";
export type { ApprovalRule, Budget, Crew, Fallback, FallbackTask, Recovery, Specialist } from "./crews/crew.ts";
export {
  append,
  type BranchOptions,
  type Channel,
  type Channels,
  type Checkpoint,
  type Checkpointer,
  CheckpointError,
  type Choice,
  type CompileOptions,
  END,
  type FinishedTask,
  type Graph,
  graph,
  GraphBuilder,
  GraphError,
  type GraphEvent,
  lastValue,
  MemoryCheckpointer,
  type NodeContext,
  type NodeFailure,
  type NodeFunction,
  type NodeOptions,
  type Observer,
  reducer,
  type Router,
  type RouterContext,
  type RunOptions,
  type RunResult,
  type RunStatus,
  type SavedRun,
  Send,
  send,
  type SendOptions,
  type Source,
  START,
  type StateOf,
  type Target,
  type Task,
  type TaskOutcome,
  type UpdateOf,
} from "./engine/mod.ts";
export {
  type CallOptions,
  type CallOutcome,
  Hub,
  type HubOptions,
  isAllowed,
  type ListedTool,
  type OutcomeKind,
  type ServerPort,
  type ServerStatus,
  Session,
  type SessionPool,
  type ToolHub,
} from "./hub/mod.ts";
export type {
  FinishReason,
  Message,
  Model,
  ModelRequest,
  ModelTurn,
  ReplyFormat,
  ToolAnnotations,
  ToolCall,
  ToolSpec,
  TurnUsage,
} from "./models/model.ts";
export { ScriptedModel, type ScriptedTurn, type ScriptProblem } from "./models/scripted.ts";
export { bindingOf, gated, type GateOptions } from "./gate/mod.ts";
export { type Emit, silent } from "./observe.ts";
export {
  type ControlTools,
  ENTRY,
  HANDOFF,
  MAX_HANDOFFS,
  peers,
  type PeerTools,
  type Turn,
  type Turns,
} from "./peer/mod.ts";
export { reference } from "./subjects/reference.ts";
export type { ApprovalDecision, ApprovalRequest, EscalationRequest, Operator, Question, User } from "./people.ts";
export { Journal } from "./journal.ts";
export { MemoryRunLog, type RunLog } from "./run_log.ts";
export { type KeptRun, SHOWN, type Shown, type Subject, type SubjectWorld, type Topology } from "./subjects/subject.ts";
export { supervise, type SupervisorTools } from "./supervisor/supervisor.ts";
export { inBandError } from "./worker/in_band.ts";
export { runWorker, type WorkerTools } from "./worker/worker.ts";
export type { Control, ControlResult } from "./worker/control.ts";
// Core's words that the types above are made of, so that this page can be read alone.
export {
  type ByteConnection,
  type ByteReader,
  type Clock,
  type Failure,
  type FailureCode,
  type FailureKind,
  FAILURES,
  type Json,
  type Strategy,
  type Timer,
} from "../core/mod.ts";
