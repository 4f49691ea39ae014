/**
 * Checkpoints in an SQLite file. Apart from `mod.ts`, so that only those who keep runs load a database.
 *
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { z } from "zod";
import { type FailureCode, FAILURES } from "../../core/mod.ts";
import { type Checkpoint, type Checkpointer, CheckpointError, type FinishedTask, type SavedRun } from "./checkpoint.ts";
import { toExactJson } from "./json.ts";
import { show } from "./target.ts";
import type { Task } from "./task.ts";

/** Marks the file as ours: "Brow" in ASCII. */
const APPLICATION_ID = 0x42726f77;
/** Raised when the tables change. */
const SCHEMA_VERSION = 1;

const TABLES = `
  CREATE TABLE run (
    id TEXT PRIMARY KEY, superstep INTEGER NOT NULL, state TEXT NOT NULL, tasks TEXT NOT NULL, failures TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE finished (
    run TEXT NOT NULL REFERENCES run, task TEXT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (run, task)
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Channels as pairs: JSON has no `undefined`, so a channel without a value is a pair without its second half. */
const entries = z.array(z.tuple([z.string()]).rest(z.unknown()));
const failure = z.strictObject({
  node: z.string(),
  task: z.string(),
  superstep: z.int(),
  code: z.custom<FailureCode>((code) => typeof code === "string" && Object.hasOwn(FAILURES, code)),
  detail: z.string(),
});
const schemas = {
  state: entries,
  tasks: z.array(z.tuple([z.string(), z.string()]).rest(z.unknown())),
  failures: z.array(failure),
  outcome: z.discriminatedUnion("ok", [
    z.strictObject({ ok: z.literal(true), update: entries }),
    z.strictObject({ ok: z.literal(false), failure }),
  ]),
};

const runRow = z.object({ superstep: z.int(), state: z.string(), tasks: z.string(), failures: z.string() });
const finishedRow = z.object({ task: z.string(), outcome: z.string() });

/**
 * Keeps runs in one SQLite file, through a kill of the process at any moment. State, updates and payloads must be JSON:
 * what JSON would change is refused, so that a resumed run has exactly the state of one that was never killed.
 *
 * Needs read and write access to the file. Close it with `using`.
 *
 * @example
 * ```ts
 * import { END, graph, lastValue, START } from "./mod.ts";
 * import { SqliteCheckpointer } from "./sqlite.ts";
 * import { RealClock } from "../../core/mod.ts";
 * import assert from "node:assert/strict";
 *
 * using checkpointer = new SqliteCheckpointer(":memory:");
 * const sum = graph({ total: lastValue(0) })
 *   .node("add", ({ total }) => ({ total: total + 1 }))
 *   .edge(START, "add")
 *   .edge("add", END)
 *   .compile();
 * const clock = new RealClock();
 * await sum.run({ total: 41 }, { clock, checkpointer, runId: "r1" });
 * assert.equal((await sum.resume("r1", { clock, checkpointer })).state.total, 42);
 * ```
 */
export class SqliteCheckpointer implements Checkpointer, Disposable {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #putRun: StatementSync;
  readonly #clear: StatementSync;
  readonly #putFinished: StatementSync;
  readonly #getRun: StatementSync;
  readonly #getFinished: StatementSync;

  /**
   * Opens a file, or makes one where there is none.
   *
   * @param path The file; `:memory:` for none.
   * @throws {CheckpointError} If the file is damaged, not ours, or of another version. It is left as it is.
   */
  constructor(path: string) {
    this.#path = path;
    this.#db = open(path);
    const prepare = (sql: string) => this.#db.prepare(sql);
    this.#putRun = prepare("INSERT OR REPLACE INTO run (id, superstep, state, tasks, failures) VALUES (?, ?, ?, ?, ?)");
    this.#clear = prepare("DELETE FROM finished WHERE run = ?");
    this.#putFinished = prepare("INSERT INTO finished (run, task, outcome) VALUES (?, ?, ?)");
    this.#getRun = prepare("SELECT superstep, state, tasks, failures FROM run WHERE id = ?");
    this.#getFinished = prepare("SELECT task, outcome FROM finished WHERE run = ? ORDER BY task");
  }

  /**
   * Keeps a checkpoint in place of the run's last one.
   *
   * @throws {CheckpointError} If a channel or a payload is not JSON, naming it, or the file cannot be written.
   */
  save(runId: string, { superstep, state, tasks, failures }: Checkpoint): void {
    const stateJson = encodeEntries(state);
    const tasksJson = `[${tasks.map(encodeTask).join(",")}]`;
    this.#try("write", () => {
      this.#db.exec("BEGIN IMMEDIATE");
      try {
        this.#putRun.run(runId, superstep, stateJson, tasksJson, JSON.stringify(failures));
        this.#clear.run(runId);
        this.#db.exec("COMMIT");
      } catch (error) {
        this.#db.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /**
   * Keeps the outcome of one task.
   *
   * @throws {CheckpointError} If a channel's update is not JSON, naming it, or the file cannot be written.
   */
  record(runId: string, { task, outcome }: FinishedTask): void {
    const json = outcome.ok ? `{"ok":true,"update":${encodeEntries(outcome.update)}}` : JSON.stringify(outcome);
    this.#try("write", () => this.#putFinished.run(runId, task, json));
  }

  /**
   * What is kept of a run.
   *
   * @throws {CheckpointError} If the file cannot be read, or what it says of the run is damaged.
   */
  load(runId: string): SavedRun | undefined {
    return this.#try("read", () => {
      const found = this.#getRun.get(runId);
      if (found === undefined) return undefined;
      const row = runRow.parse(found);
      const checkpoint: Checkpoint = {
        superstep: row.superstep,
        state: decodeEntries(schemas.state.parse(JSON.parse(row.state))),
        tasks: schemas.tasks.parse(JSON.parse(row.tasks)).map(([node, task, payload]) => ({ node, task, payload })),
        failures: schemas.failures.parse(JSON.parse(row.failures)),
      };
      const finished = this.#getFinished.all(runId).map((raw): FinishedTask => {
        const { task, outcome: json } = finishedRow.parse(raw);
        const outcome = schemas.outcome.parse(JSON.parse(json));
        return { task, outcome: outcome.ok ? { ok: true, update: decodeEntries(outcome.update) } : outcome };
      });
      return { checkpoint, finished };
    });
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#db.close();
  }

  #try<T>(verb: string, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw new CheckpointError(`cannot ${verb} the checkpoints in ${this.#path}: ${reason(cause)}`, { cause });
    }
  }
}

/** Looks before it writes: a file that is not known to be ours is closed as it was found. */
function open(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path);
    const id = pragma(db, "application_id");
    const version = pragma(db, "user_version");
    const empty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
    const fresh = empty && id === 0 && version === 0;
    if (!fresh && id !== APPLICATION_ID) throw new Error("it is a database of something else; choose another path");
    if (!fresh && version !== SCHEMA_VERSION) {
      throw new Error(`its schema is version ${version}, and this is version ${SCHEMA_VERSION}; choose another path`);
    }
    if (!fresh && db.prepare("PRAGMA quick_check").get()?.["quick_check"] !== "ok") throw new Error("it is damaged");
    // WAL: one short write a task. NORMAL survives the death of the process; only a power cut can cost the last writes.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000");
    if (fresh) db.exec(`BEGIN IMMEDIATE; ${TABLES} COMMIT;`);
    return db;
  } catch (cause) {
    db?.close();
    throw new CheckpointError(`${path} cannot be used for checkpoints, and is left as it is: ${reason(cause)}`, {
      cause,
    });
  }
}

function pragma(db: DatabaseSync, name: "application_id" | "user_version"): unknown {
  return db.prepare(`PRAGMA ${name}`).get()?.[name];
}

function reason(cause: unknown): string {
  if (cause instanceof z.ZodError) return `it is damaged: ${z.prettifyError(cause)}`;
  if (cause instanceof SyntaxError) return `it is damaged: ${cause.message}`;
  return cause instanceof Error ? cause.message : String(cause);
}

function encode(what: string, value: unknown): string {
  try {
    return toExactJson(value);
  } catch (cause) {
    throw new CheckpointError(`${what} cannot be kept: ${reason(cause)}`, { cause });
  }
}

function encodeEntries(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).map(([name, value]) => {
    const key = JSON.stringify(name);
    return value === undefined ? `[${key}]` : `[${key},${encode(`channel ${show(name)}`, value)}]`;
  });
  return `[${pairs.join(",")}]`;
}

function encodeTask({ node, task, payload }: Task): string {
  const names = `${JSON.stringify(node)},${JSON.stringify(task)}`;
  return payload === undefined ? `[${names}]` : `[${names},${encode(`the payload of task ${show(task)}`, payload)}]`;
}

function decodeEntries(pairs: z.infer<typeof entries>): Record<string, unknown> {
  return Object.fromEntries(pairs.map(([name, value]) => [name, value]));
}
