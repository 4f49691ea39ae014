/**
 * A run: superstep after superstep, until nothing is left to do or something ends it.
 */
import type { Clock } from "../../core/mod.ts";
import type { Channels, StateOf } from "./channel.ts";
import type { Checkpointer } from "./checkpoint.ts";
import { dispatch } from "./dispatch.ts";
import { type Cause, Ending } from "./ending.ts";
import { type Observer, tell } from "./events.ts";
import { merge } from "./merge.ts";
import type { Plan } from "./plan.ts";
import { Superstep } from "./superstep.ts";
import { asFailure, type NodeFailure, type Task, type TaskOutcome } from "./task.ts";

/** Options of a run. */
export interface RunOptions {
  /** The only source of time. The deadline counts from the moment of `run` or `resume`. */
  readonly clock: Clock;
  /** Calls the run off: running tasks fail with `cancelled`, the status is `cancelled`. */
  readonly signal?: AbortSignal;
  /** Keeps the run, so that it can be resumed after a kill. Needs `runId`. */
  readonly checkpointer?: Checkpointer;
  /** The run's name in the checkpointer. */
  readonly runId?: string;
  /** Watches the run. What it throws is ignored. */
  readonly onEvent?: Observer;
}

/** How a run ended. */
export type RunStatus = "done" | "deadline" | "cancelled" | "step_cap";

/** What a run leaves behind. A run never throws for what its nodes do. */
export interface RunResult<C extends Channels> {
  /** `done` if nothing was left to run; that some of it failed stands in `failures`. */
  readonly status: RunStatus;
  /** The state, with the results of every task that ended. */
  readonly state: StateOf<C>;
  /** Failed tasks and routers, by superstep and in dispatch order. */
  readonly failures: readonly NodeFailure[];
  /** Supersteps begun, those before a resume included. */
  readonly supersteps: number;
  /** Tasks dispatched and never begun, because the run ended; their code is `not_started`. */
  readonly notStarted: readonly NodeFailure[];
}

/** A run between two supersteps. */
export interface Position<C extends Channels> {
  /** Supersteps completed. */
  readonly superstep: number;
  /** The state. */
  readonly state: StateOf<C>;
  /** Tasks of the next superstep. */
  readonly tasks: readonly Task[];
  /** Failures so far. */
  readonly failures: readonly NodeFailure[];
}

/** Where a run is kept; `undefined` if it is not. */
export interface Journal {
  /** The keeper. */
  readonly checkpointer: Checkpointer;
  /** The run's name. */
  readonly runId: string;
}

/**
 * Runs a graph on from a position.
 *
 * @param restored Outcomes of tasks of the next superstep that need not run again, by task id.
 * @throws What the checkpointer threw.
 */
export async function runFrom<C extends Channels>(
  plan: Plan<C>,
  position: Position<C>,
  restored: ReadonlyMap<string, TaskOutcome>,
  journal: Journal | undefined,
  { clock, signal, onEvent }: Pick<RunOptions, "clock" | "signal" | "onEvent">,
): Promise<RunResult<C>> {
  using ending = new Ending(clock, plan.deadlineMs, signal);
  const record = journal && ((finished: { task: string; outcome: TaskOutcome }) => {
    return journal.checkpointer.record(journal.runId, finished);
  });
  let finished = restored;
  for (let { superstep, state, tasks, failures } = position;;) {
    if (tasks.length === 0) return { status: "done", state, failures, supersteps: superstep, notStarted: [] };
    const status = ending.cause()?.status ?? (superstep >= plan.stepCap ? "step_cap" : undefined);
    if (status !== undefined) {
      const notStarted = tasks.map((task) => notBegun(task, superstep + 1, status));
      return { status, state, failures, supersteps: superstep, notStarted };
    }

    superstep++;
    if (onEvent !== undefined) {
      const restoredIds = ids(tasks).filter((task) => finished.has(task));
      tell(onEvent, { type: "superstep_start", superstep, tasks: ids(tasks), restored: restoredIds });
    }
    const input = { plan, number: superstep, tasks, state, failures, clock, restored: finished, record, onEvent };
    const step = new Superstep(input);
    ending.onEnd = (cause: Cause) => step.stop(cause);
    const before = ending.cause();
    if (before !== undefined) step.stop(before); // the observer ended the run
    await step.run();
    finished = new Map();

    const merged = merge(plan.channels, state, step.outcomes);
    const failed = failuresOf(step, tasks, merged.refused);
    const known = failures.length;
    state = merged.state;
    if (failed.length > 0) failures = [...failures, ...failed];
    const cause = step.cut ? ending.cause() : undefined;
    const ran = tasks;
    if (cause === undefined) {
      ({ tasks, failures } = dispatch(plan, new Set(ran.map(({ node }) => node)), state, superstep, failures));
      const saving = journal?.checkpointer.save(journal.runId, { superstep, state, tasks, failures });
      if (saving !== undefined) await saving;
    }
    if (onEvent !== undefined) {
      tell(onEvent, { type: "superstep_end", superstep, tasks: ids(ran), failures: failures.slice(known) });
    }
    if (cause !== undefined) {
      // Not saved: a resumed run begins this superstep again, with what has been recorded of it.
      const { status } = cause;
      const notStarted = ran.flatMap((task, i) =>
        step.outcomes[i] === undefined ? notBegun(task, superstep, status) : []
      );
      return { status, state, failures, supersteps: superstep, notStarted };
    }
  }
}

const ids = (tasks: readonly Task[]): string[] => tasks.map(({ task }) => task);

function notBegun({ node, task }: Task, superstep: number, status: RunStatus): NodeFailure {
  const why = status === "step_cap"
    ? "its step cap was reached"
    : status === "deadline"
    ? "its deadline had passed"
    : "it was called off";
  return {
    node,
    task,
    superstep,
    code: "not_started",
    detail: `dispatched, and never begun: the run ended because ${why}`,
  };
}

function failuresOf<C extends Channels>(
  { outcomes, number }: Superstep<C>,
  tasks: readonly Task[],
  refused: ReadonlyMap<number, unknown>,
): NodeFailure[] {
  const failed: NodeFailure[] = [];
  for (const [index, { node, task }] of tasks.entries()) {
    const outcome = outcomes[index];
    if (outcome?.ok === false) failed.push(outcome.failure);
    else if (refused.has(index)) {
      const detail = `its update was refused by a reducer: ${asFailure(refused.get(index)).detail}`;
      failed.push({ node, task, superstep: number, code: "internal", detail });
    }
  }
  return failed;
}
