/**
 * The context that a node gets. It costs one object; the signal is made when it is asked for.
 */
import type { Clock } from "../../core/mod.ts";
import type { NodeContext, NodeFailure, Task } from "./task.ts";

/** What a context needs of its superstep. */
export interface ContextHost {
  /** The superstep's number. */
  readonly number: number;
  /** The run's clock. */
  readonly clock: Clock;
  /** Failures of earlier supersteps. */
  readonly failures: readonly NodeFailure[];
  /** The signal of the task at an index in dispatch order. */
  signalOf(index: number): AbortSignal;
}

/** A node's context, as a view of its superstep. */
export class TaskContext implements NodeContext {
  readonly node: string;
  readonly task: string;
  readonly payload: unknown;
  readonly #host: ContextHost;
  readonly #index: number;

  constructor(host: ContextHost, index: number, task: Task) {
    this.node = task.node;
    this.task = task.task;
    this.payload = task.payload;
    this.#host = host;
    this.#index = index;
  }

  get superstep(): number {
    return this.#host.number;
  }

  get clock(): Clock {
    return this.#host.clock;
  }

  get failures(): readonly NodeFailure[] {
    return this.#host.failures;
  }

  get signal(): AbortSignal {
    return this.#host.signalOf(this.#index);
  }
}
