/**
 * A run's log in an SQLite file. Apart from `mod.ts`, so that only those who keep runs load a database.
 *
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import * as z from "zod";
import type { Json } from "../core/mod.ts";
import { JsonValue } from "./contracts.ts";
import { toExactJson } from "./engine/json.ts";
import type { RunLog } from "./run_log.ts";

/** Marks the file as ours: "BrwL" in ASCII. */
const APPLICATION_ID = 0x4272774c;
/** Raised when the table changes. */
const SCHEMA_VERSION = 1;

const TABLE = `
  CREATE TABLE entry (
    n INTEGER PRIMARY KEY, run TEXT NOT NULL, list TEXT NOT NULL, entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entry_of ON entry (run, list, n);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const row = z.object({ entry: z.string() });
const number = z.object({ n: z.int() });

/** A log that cannot be written, read or used. */
export class RunLogError extends Error {
  /** Tells it from other errors, also across realms. */
  override readonly name = "RunLogError";
}

/**
 * Keeps the log of one run in a file, through a kill of the process at any moment: an entry is on the disk when `append`
 * returns. Several runs may share a file.
 *
 * Needs read and write access to the file and beside it. Close it with `using`.
 *
 * @example
 * ```ts
 * import { SqliteRunLog } from "./run_log_sqlite.ts";
 * import assert from "node:assert/strict";
 *
 * using log = new SqliteRunLog(":memory:", "run1");
 * log.append("calls", { id: 1 });
 * assert.deepEqual(log.read("calls"), [{ id: 1 }]);
 * ```
 */
export class SqliteRunLog implements RunLog, Disposable {
  readonly #path: string;
  readonly #runId: string;
  readonly #db: DatabaseSync;
  readonly #put: StatementSync;
  readonly #get: StatementSync;

  /**
   * Opens a file, or makes one where there is none.
   *
   * @param path The file; `:memory:` for none.
   * @param runId The run whose log it is.
   * @throws {RunLogError} If the file is damaged, not ours, or of another version. It is left as it is.
   */
  constructor(path: string, runId: string) {
    this.#path = path;
    this.#runId = runId;
    this.#db = open(path);
    this.#put = this.#db.prepare("INSERT INTO entry (run, list, entry) VALUES (?, ?, ?)");
    this.#get = this.#db.prepare("SELECT entry FROM entry WHERE run = ? AND list = ? ORDER BY n");
  }

  /**
   * Adds an entry to a list.
   *
   * @throws {RunLogError} If it is no JSON, or cannot be written.
   */
  append(list: string, entry: Json): void {
    this.#try("write", () => this.#put.run(this.#runId, list, toExactJson(entry)));
  }

  /**
   * All entries of a list, oldest first.
   *
   * @throws {RunLogError} If the file cannot be read, or what it says is damaged.
   */
  read(list: string): readonly Json[] {
    return this.#try(
      "read",
      () => this.#get.all(this.#runId, list).map((found): Json => JsonValue.parse(JSON.parse(row.parse(found).entry))),
    );
  }

  /** Closes the file. Harmless when called again. */
  [Symbol.dispose](): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #try<T>(what: "read" | "write", work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw new RunLogError(`cannot ${what} ${this.#path}: ${reason(cause)}`, { cause });
    }
  }
}

function open(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path);
    // `FULL`, and a journal that is deleted: what was committed is on the disk, whatever is killed.
    db.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;");
    const pragma = (name: "application_id" | "user_version"): number =>
      number.parse(db?.prepare(`SELECT ${name} AS n FROM pragma_${name}`).get()).n;
    const tables = number.parse(db.prepare("SELECT count(*) AS n FROM sqlite_schema").get()).n;
    if (tables === 0 && pragma("application_id") === 0) db.exec(`BEGIN IMMEDIATE; ${TABLE} COMMIT;`);
    if (pragma("application_id") !== APPLICATION_ID) throw new Error("it is not a log of runs");
    if (pragma("user_version") !== SCHEMA_VERSION) throw new Error(`it is of version ${pragma("user_version")}`);
    return db;
  } catch (cause) {
    db?.close();
    throw new RunLogError(`cannot open ${path}: ${reason(cause)}`, { cause });
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
