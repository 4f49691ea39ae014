/** What is kept of a run in memory, for subjects that are killed and go on. */
import {
  type Checkpoint,
  type Checkpointer,
  type FinishedTask,
  type Json,
  MemoryCheckpointer,
  MemoryRunLog,
  type RunLog,
  type SavedRun,
} from "../../agents/mod.ts";
import { toExactJson } from "../../agents/engine/json.ts";

/**
 * Keeps a run's supersteps as a file would: as JSON, so that nothing survives a kill by reference, and what could not be
 * written down is found out.
 */
export class CopyingCheckpointer implements Checkpointer {
  readonly #keeper = new MemoryCheckpointer();

  /**
   * Keeps a checkpoint.
   *
   * @throws {TypeError} If a part of it is no JSON.
   */
  save(runId: string, { superstep, state, tasks, failures }: Checkpoint): void {
    this.#keeper.save(runId, {
      superstep,
      state: copyEach(state),
      tasks: tasks.map(({ node, task, payload }) => ({ node, task, payload: copy(payload) })),
      failures: copy(failures),
    });
  }

  /**
   * Keeps what came of a task.
   *
   * @throws {TypeError} If a part of it is no JSON.
   */
  record(runId: string, { task, outcome }: FinishedTask): void {
    const kept = outcome.ok ? { ok: true as const, update: copyEach(outcome.update) } : copy(outcome);
    this.#keeper.record(runId, { task, outcome: kept });
  }

  /** What is kept of a run. */
  load(runId: string): SavedRun | undefined {
    return this.#keeper.load(runId);
  }
}

/** Remembers entries as JSON. */
export class CopyingRunLog implements RunLog {
  readonly #log = new MemoryRunLog();

  /**
   * Adds an entry.
   *
   * @throws {TypeError} If it is no JSON.
   */
  append(list: string, entry: Json): void {
    this.#log.append(list, copy(entry));
  }

  /** All entries of a list, oldest first. */
  read(list: string): readonly Json[] {
    return copy([...this.#log.read(list)]);
  }
}

function copy<T>(value: T): T {
  return value === undefined ? value : JSON.parse(toExactJson(value));
}

function copyEach(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, copy(value)]));
}
