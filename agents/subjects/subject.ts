/** A subject: a system under test. */
import type { Clock } from "../../core/mod.ts";
import type { Answer } from "../types.ts";
import type { Crew } from "../crews/crew.ts";
import type { ServerPort, SessionPool } from "../hub/mod.ts";
import type { Model } from "../models/model.ts";
import type { Checkpointer } from "../engine/mod.ts";
import type { Emit } from "../observe.ts";
import type { Operator, User } from "../people.ts";
import type { RunLog } from "../run_log.ts";

/**
 * How the agents of a crew work together. `supervisor`: a plan, workers in parallel, a supervisor who answers. `peer`: one
 * agent has control, hands it to the next, and does not get it back.
 */
export type Topology = "supervisor" | "peer";

/** Where a run is kept, so that it can go on after a kill. */
export interface KeptRun {
  /** Keeps the run's supersteps. */
  readonly checkpointer: Checkpointer;
  /** Keeps what happened within them. */
  readonly log: RunLog;
  /** The run's name. */
  readonly runId: string;
  /** Whether it has begun before, and goes on now. */
  readonly isResumed: boolean;
}

/** Everything that a subject gets of the world. */
export interface SubjectWorld {
  /** What the user asks. */
  readonly request: string;
  /** The team to answer with. */
  readonly crew: Crew;
  /** The model endpoint. */
  readonly model: Model;
  /** How to reach each server of the crew. */
  readonly ports: readonly ServerPort[];
  /** The only source of time. */
  readonly clock: Clock;
  /** Calls the run off. */
  readonly signal: AbortSignal;
  /** Tells the bench what the subject does. The bench does not take its word for it. */
  readonly emit: Emit;
  /** Who decides on risky calls and takes over; nobody if left out, and every such call is denied. */
  readonly operator?: Operator;
  /** Who answers questions; nobody if left out. */
  readonly user?: User;
  /** How the agents work together; `supervisor` if left out. */
  readonly topology?: Topology;
  /** Where the run is kept; nowhere if left out. */
  readonly kept?: KeptRun;
  /** Sessions that may be reused. */
  readonly pool?: SessionPool;
}

/**
 * What a subject can let the bench see beside the world's own records of servers and models. What it does not show cannot
 * be judged: checks that rest on it are untestable, and never passed.
 *
 * - `agents`: which of its agents makes a model call or a tool call, by the names of the crew.
 * - `answer`: its answer as structure: status, sections, failures. Without it only the text is read.
 * - `plan`: what it made of the planner's reply.
 * - `packets`: what each worker was given.
 * - `reports`: what each worker gave back.
 * - `routes`: what it did about each failure.
 * - `verdicts`: what it thinks of each claim.
 * - `controls`: its decisions on approvals, effects, budgets and handoffs.
 * - `spans`: when each of its steps began and ended, and what it has used in all.
 */
export const SHOWN = [
  "agents",
  "answer",
  "plan",
  "packets",
  "reports",
  "routes",
  "verdicts",
  "controls",
  "spans",
] as const;

/** One thing that a subject can show. */
export type Shown = (typeof SHOWN)[number];

/** A system under test. */
export interface Subject {
  /** Its name on the command line. */
  readonly name: string;
  /** What it is, in one sentence. */
  readonly summary: string;
  /** What it shows; all of it if left out. */
  readonly shows?: readonly Shown[];
  /** Answers the request. When it settles, it has closed everything that it opened. */
  run(world: SubjectWorld): Promise<Answer>;
}
