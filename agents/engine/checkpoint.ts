/**
 * Checkpoints: what is kept of a run, so that a killed one goes on where it was.
 */
import { show } from "./target.ts";
import type { NodeFailure, Task, TaskOutcome } from "./task.ts";

/** A run between two supersteps. */
export interface Checkpoint {
  /** Supersteps completed; 0 before the first. */
  readonly superstep: number;
  /** The state by channel name. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The tasks of the next superstep, in dispatch order. Empty when the run is done. */
  readonly tasks: readonly Task[];
  /** Every failure so far. */
  readonly failures: readonly NodeFailure[];
}

/** A task of the superstep after the checkpoint that has finished, though its superstep has not. */
export interface FinishedTask {
  /** Its id. */
  readonly task: string;
  /** What came of it. */
  readonly outcome: TaskOutcome;
}

/** All that is kept of one run. */
export interface SavedRun {
  /** The last checkpoint. */
  readonly checkpoint: Checkpoint;
  /** What has finished since, in any order. */
  readonly finished: readonly FinishedTask[];
}

/**
 * Keeps runs. A method may be synchronous or not; the engine waits for it, and a task counts as finished once it is
 * recorded. Whatever a method throws ends the run: results that cannot be kept are not quietly kept elsewhere.
 */
export interface Checkpointer {
  /** Keeps a checkpoint in place of the run's last one and of what finished since. */
  save(runId: string, checkpoint: Checkpoint): void | Promise<void>;
  /** Keeps the outcome of one task, as soon as there is one. */
  record(runId: string, finished: FinishedTask): void | Promise<void>;
  /** What is kept of a run; `undefined` if nothing is. */
  load(runId: string): SavedRun | undefined | Promise<SavedRun | undefined>;
}

/** A checkpoint that cannot be written, read or used. */
export class CheckpointError extends Error {
  /** Tells it from other errors, also across realms. */
  override readonly name = "CheckpointError";
}

/** Keeps runs for as long as the process lives. Values are kept as they are, not copied. */
export class MemoryCheckpointer implements Checkpointer {
  readonly #runs = new Map<string, { checkpoint: Checkpoint; finished: FinishedTask[] }>();

  /** Keeps a checkpoint in place of the run's last one. */
  save(runId: string, checkpoint: Checkpoint): void {
    this.#runs.set(runId, { checkpoint, finished: [] });
  }

  /**
   * Keeps the outcome of one task.
   *
   * @throws {CheckpointError} If the run has no checkpoint yet.
   */
  record(runId: string, finished: FinishedTask): void {
    const run = this.#runs.get(runId);
    if (run === undefined) throw new CheckpointError(`run ${show(runId)} has no checkpoint to add a task to`);
    run.finished.push(finished);
  }

  /** What is kept of a run. */
  load(runId: string): SavedRun | undefined {
    const run = this.#runs.get(runId);
    return run && { checkpoint: run.checkpoint, finished: [...run.finished] };
  }
}
