/**
 * The unit of work: a node, dispatched once in one superstep, and what came of it.
 */
import { type Clock, type Failure, toFailure } from "../../core/mod.ts";
import type { Channels, StateOf, UpdateOf } from "./channel.ts";
import type { Source } from "./target.ts";

/** A node that has been dispatched for the next superstep. */
export interface Task {
  /** The node to run. */
  readonly node: string;
  /** The task's id, unique in its superstep: the node's name, a Send's key, or `node#k`. */
  readonly task: string;
  /** The Send's payload; `undefined` for a task by a plain edge. */
  readonly payload: unknown;
}

/** A task that failed, or was never begun, with its closed code. */
export interface NodeFailure extends Failure {
  /** The node that failed. `START` when the router at the start did. */
  readonly node: string;
  /** The task's id; `<node>:branch` when the router after the node failed. */
  readonly task: string;
  /** The superstep in which it ran, counted from 1; for a router, the one whose results it read. */
  readonly superstep: number;
}

/** What came of a task. */
export type TaskOutcome =
  | {
    /** The node returned. */
    readonly ok: true;
    /** Updates by channel name. */
    readonly update: Readonly<Record<string, unknown>>;
  }
  | {
    /** The node threw, ran out of time or was called off. */
    readonly ok: false;
    /** Why. */
    readonly failure: NodeFailure;
  };

/** What a node knows besides the state. */
export interface NodeContext extends Task {
  /** This superstep's number, counted from 1. */
  readonly superstep: number;
  /**
   * Aborts when the node's time is up or the run ends, and never after the task has ended. Made when first read, so a
   * node that does not ask pays nothing.
   */
  readonly signal: AbortSignal;
  /** The run's clock. */
  readonly clock: Clock;
  /** Every failure of earlier supersteps, in dispatch order. */
  readonly failures: readonly NodeFailure[];
}

/** What a router knows besides the state. */
export interface RouterContext {
  /** The node whose way on is being chosen. */
  readonly node: Source;
  /** The superstep that has just ended, counted from 1; 0 at the start. */
  readonly superstep: number;
  /** Every failure so far, those of the superstep that has just ended included, in dispatch order. */
  readonly failures: readonly NodeFailure[];
}

/**
 * A node's work. It returns updates, or nothing. What it throws becomes a {@linkcode NodeFailure}: a `CodedError` keeps
 * its code, anything else is `internal`.
 */
export type NodeFunction<C extends Channels> = (
  state: StateOf<C>,
  ctx: NodeContext,
) => UpdateOf<C> | void | Promise<UpdateOf<C> | void>;

/** Gives what was thrown its code, even if it cannot be shown: a thrown object may have no way to become a string. */
export function asFailure(thrown: unknown): Failure {
  try {
    return toFailure(thrown);
  } catch {
    return { code: "internal", detail: "it threw something that cannot be shown as text" };
  }
}
