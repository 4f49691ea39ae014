/**
 * What a run tells as it goes. Observers watch; they cannot change the run's result.
 */
import type { FailureCode } from "../../core/mod.ts";
import type { NodeFailure } from "./task.ts";

/** Something that happened in a run. Supersteps count from 1. */
export type GraphEvent =
  | {
    /** A superstep begins. */
    readonly type: "superstep_start";
    /** Its number. */
    readonly superstep: number;
    /** Ids of its tasks in dispatch order. */
    readonly tasks: readonly string[];
    /** Those of them whose outcome comes from a checkpoint; they do not run again and have no events. */
    readonly restored: readonly string[];
  }
  | {
    /** A task begins. */
    readonly type: "task_start";
    /** Its superstep. */
    readonly superstep: number;
    /** Its node. */
    readonly node: string;
    /** Its id. */
    readonly task: string;
  }
  | {
    /** A task has its outcome, and the checkpointer, if there is one, has recorded it. */
    readonly type: "task_end";
    /** Its superstep. */
    readonly superstep: number;
    /** Its node. */
    readonly node: string;
    /** Its id. */
    readonly task: string;
    /** `ok`, or the code of its failure. */
    readonly outcome: "ok" | FailureCode;
  }
  | {
    /** A superstep's results are merged and, unless the run ended in the middle of it, saved. */
    readonly type: "superstep_end";
    /** Its number. */
    readonly superstep: number;
    /** Ids of its tasks in dispatch order. */
    readonly tasks: readonly string[];
    /** Its failures, those of the routers after it included. */
    readonly failures: readonly NodeFailure[];
  };

/** Receives events. Whatever it throws is ignored. */
export type Observer = (event: GraphEvent) => void;

/** Tells the observer, and keeps its errors from the run: also those of an observer that is asynchronous after all. */
export function tell(observer: Observer | undefined, event: GraphEvent): void {
  if (observer === undefined) return;
  try {
    const returned: unknown = observer(event);
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // An observer that fails has lost an event; the run has lost nothing.
  }
}
