/**
 * A typed superstep graph: nodes, edges, routers, run-time fan-out, a barrier between supersteps, and checkpoints.
 *
 * Durable checkpoints are in `./sqlite.ts`, apart, because it loads a database.
 *
 * @module
 */
export { append, type Channel, type Channels, lastValue, reducer, type StateOf, type UpdateOf } from "./channel.ts";
export { END, Send, send, type SendOptions, type Source, START, type Target } from "./target.ts";
export { type BranchOptions, type CompileOptions, type Graph, graph, GraphBuilder } from "./graph.ts";
export type { Choice, NodeOptions, Router } from "./plan.ts";
export type { NodeContext, NodeFailure, NodeFunction, RouterContext, Task, TaskOutcome } from "./task.ts";
export type { RunOptions, RunResult, RunStatus } from "./run.ts";
export type { GraphEvent, Observer } from "./events.ts";
export {
  type Checkpoint,
  type Checkpointer,
  CheckpointError,
  type FinishedTask,
  MemoryCheckpointer,
  type SavedRun,
} from "./checkpoint.ts";
export { GraphError } from "./validate.ts";
// Core's words that the types above are made of, so that this page can be read alone.
export { type Clock, type Failure, type FailureCode, FAILURES, type Timer } from "../../core/mod.ts";
