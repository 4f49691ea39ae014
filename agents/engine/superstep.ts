/**
 * One superstep: all its tasks at once, and the barrier behind them.
 */
import { type Clock, type Deadline, deadline } from "../../core/mod.ts";
import type { Channels, StateOf } from "./channel.ts";
import type { FinishedTask } from "./checkpoint.ts";
import { type ContextHost, TaskContext } from "./context.ts";
import type { Cause } from "./ending.ts";
import { type Observer, tell } from "./events.ts";
import { assertUpdate } from "./merge.ts";
import type { Plan } from "./plan.ts";
import { show } from "./target.ts";
import { asFailure, type NodeFailure, type Task, type TaskOutcome } from "./task.ts";

/** What a superstep starts from. */
export interface SuperstepInput<C extends Channels> {
  /** The graph. */
  readonly plan: Plan<C>;
  /** The superstep's number, counted from 1. */
  readonly number: number;
  /** Its tasks in dispatch order. */
  readonly tasks: readonly Task[];
  /** The state that all of them read. */
  readonly state: StateOf<C>;
  /** Failures of earlier supersteps. */
  readonly failures: readonly NodeFailure[];
  /** The run's clock. */
  readonly clock: Clock;
  /** Outcomes of tasks that had finished before the run was killed, by task id. */
  readonly restored: ReadonlyMap<string, TaskOutcome>;
  /** Keeps a finished task; `undefined` if nothing is kept. */
  readonly record: ((finished: FinishedTask) => void | Promise<void>) | undefined;
  /** Watches. */
  readonly onEvent: Observer | undefined;
}

/** What running tasks get for an outcome when they are stopped. */
type Stop = Pick<Cause, "code" | "detail" | "reason">;

const NOTHING: TaskOutcome = { ok: true, update: {} };

/** Runs the tasks of one superstep. A task has at most one outcome: whatever comes after the first is dropped. */
export class Superstep<C extends Channels> implements ContextHost {
  /** What came of each task, in dispatch order; `undefined` for one that has not ended or was never begun. */
  readonly outcomes: (TaskOutcome | undefined)[];
  readonly number: number;
  readonly clock: Clock;
  readonly failures: readonly NodeFailure[];
  readonly #input: SuperstepInput<C>;
  #limits: Map<number, Deadline> | undefined;
  #begun = 0;
  /** Tasks begun whose outcome has not come, or is still being recorded. */
  #open = 0;
  #release: (() => void) | undefined;
  #stopped: Stop | undefined;
  #cut = false;
  #broken: { readonly error: unknown } | undefined;

  constructor(input: SuperstepInput<C>) {
    this.#input = input;
    ({ number: this.number, clock: this.clock, failures: this.failures } = input);
    this.outcomes = input.tasks.map(({ task }) => input.restored.get(task));
  }

  /** Whether the run's end cost a task its result: some were running, or had not begun. */
  get cut(): boolean {
    return this.#cut;
  }

  /**
   * Runs to the barrier: until each task has an outcome and it is recorded, or the superstep is stopped.
   *
   * @throws Whatever `record` threw; the tasks that were running are called off.
   */
  async run(): Promise<void> {
    const { tasks } = this.#input;
    for (const [index, task] of tasks.entries()) {
      if (this.#stopped !== undefined) break;
      this.#begun = index + 1;
      if (this.outcomes[index] === undefined) this.#begin(index, task);
    }
    if (this.#begun < tasks.length) this.#cut ||= this.outcomes.includes(undefined, this.#begun);
    if (this.#open > 0) await new Promise<void>((resolve) => this.#release = resolve);
    if (this.#broken !== undefined) throw this.#broken.error;
  }

  /** Ends every running task with the cause's code, and begins no other. */
  stop(cause: Stop): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = cause;
    const running = this.#input.tasks.flatMap((task, index) => {
      return index < this.#begun && this.outcomes[index] === undefined ? [{ task, index }] : [];
    });
    this.#cut ||= running.length > 0;
    for (const { task, index } of running) this.outcomes[index] = this.#failed(task, cause);
    for (const { index } of running) this.#limits?.get(index)?.abort(cause.reason);
    // Not recorded: a resumed run is to run these again.
    for (const { task, index } of running) this.#finish(index, task);
  }

  /** The task's own signal: made when first asked for, unless the node has a timeout. */
  signalOf(index: number): AbortSignal {
    let limit = this.#limits?.get(index);
    if (limit === undefined) {
      limit = deadline(this.clock, undefined);
      this.#keep(index, limit);
      if (this.#stopped !== undefined) limit.abort(this.#stopped.reason);
    }
    return limit.signal;
  }

  #begin(index: number, task: Task): void {
    const spec = this.#input.plan.nodes.get(task.node);
    if (spec === undefined) throw new Error(`no node ${show(task.node)}`); // excluded by dispatch and by resume
    this.#open++;
    if (this.#input.onEvent !== undefined) {
      tell(this.#input.onEvent, { type: "task_start", superstep: this.number, node: task.node, task: task.task });
      if (this.outcomes[index] !== undefined) return; // the observer ended the run
    }
    if (spec.timeoutMs !== undefined) this.#limit(index, task, spec.timeoutMs);
    try {
      const returned = spec.run(this.#input.state, new TaskContext(this, index, task));
      if (isThenable(returned)) {
        // The handlers stay for good, so that a late rejection is handled too.
        Promise.resolve(returned).then(
          (update) => this.#succeed(index, task, update),
          (thrown) => this.#settle(index, task, this.#failed(task, asFailure(thrown))),
        );
      } else this.#succeed(index, task, returned);
    } catch (thrown) {
      this.#settle(index, task, this.#failed(task, asFailure(thrown)));
    }
  }

  /** Engine's listener first, so that a node that rejects as soon as it is aborted has timed out all the same. */
  #limit(index: number, task: Task, ms: number): void {
    const limit = deadline(this.clock, ms);
    this.#keep(index, limit);
    limit.signal.addEventListener("abort", () => {
      this.#settle(index, task, this.#failed(task, { code: "timeout", detail: `no result within ${ms} ms` }));
    }, { once: true });
  }

  #keep(index: number, limit: Deadline): void {
    this.#limits ??= new Map();
    this.#limits.set(index, limit);
  }

  #succeed(index: number, task: Task, returned: unknown): void {
    this.#settle(index, task, returned === undefined ? NOTHING : this.#checked(task, returned));
  }

  #checked(task: Task, update: unknown): TaskOutcome {
    try {
      assertUpdate(this.#input.plan.channels, update);
      return { ok: true, update };
    } catch (thrown) { // not an update, or one that throws when it is read
      return this.#failed(task, asFailure(thrown));
    }
  }

  #settle(index: number, task: Task, outcome: TaskOutcome): void {
    if (this.outcomes[index] !== undefined) return;
    this.outcomes[index] = outcome;
    this.#limits?.get(index)?.[Symbol.dispose]();
    try {
      const recording = this.#input.record?.({ task: task.task, outcome });
      if (recording === undefined) this.#finish(index, task);
      else recording.then(() => this.#finish(index, task), (error) => this.#break(index, task, error));
    } catch (error) {
      this.#break(index, task, error);
    }
  }

  #finish(index: number, task: Task): void {
    const outcome = this.outcomes[index];
    if (this.#input.onEvent !== undefined && outcome !== undefined) {
      const code = outcome.ok ? "ok" : outcome.failure.code;
      const about = { superstep: this.number, node: task.node, task: task.task };
      tell(this.#input.onEvent, { type: "task_end", ...about, outcome: code });
    }
    if (--this.#open === 0) this.#release?.();
  }

  #break(index: number, task: Task, error: unknown): void {
    this.#broken ??= { error };
    this.stop({ code: "cancelled", detail: "the checkpointer failed", reason: error });
    this.#finish(index, task);
  }

  #failed({ node, task }: Task, { code, detail }: Pick<NodeFailure, "code" | "detail">): TaskOutcome {
    return { ok: false, failure: { node, task, superstep: this.number, code, detail } };
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
