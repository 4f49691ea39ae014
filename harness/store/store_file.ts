/** The file of a run's store: made, opened, and held to be ours and whole before anybody reads from it or writes to it. */
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "./error.ts";

/** Marks the file as ours: "BrwC" in ASCII. */
const APPLICATION_ID = 0x42727743;
/** Raised when the tables change. */
export const STORE_SCHEMA = 3;

/** How long one waits for another process, in milliseconds: whoever has a run has it for as long as it takes. */
const BUSY_MS = 300;

const TABLES = `
  CREATE TABLE run (
    id TEXT PRIMARY KEY, command TEXT NOT NULL, plan TEXT NOT NULL, fingerprint TEXT NOT NULL,
    started TEXT NOT NULL, lives INTEGER NOT NULL, finished TEXT, outcome TEXT
  ) STRICT;
  CREATE TABLE cell (
    n INTEGER PRIMARY KEY, cell TEXT NOT NULL, digest TEXT NOT NULL, rank INTEGER NOT NULL, life INTEGER NOT NULL,
    gist TEXT NOT NULL, gist_digest TEXT NOT NULL, result BLOB NOT NULL, trace BLOB, trace_digest TEXT
  ) STRICT;
  CREATE TABLE spent (life INTEGER PRIMARY KEY, used TEXT NOT NULL) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${STORE_SCHEMA};
`;

/** Options of {@linkcode RunStore.create} and {@linkcode RunStore.open}. */
export interface StoreOptions {
  /** The most pages of 4096 bytes that the file may have; for tests of a full disk. */
  readonly maxPages?: number;
}

/**
 * Makes the file of a new run: its tables, and what `fill` puts into them, or nothing.
 *
 * @param path A file that is not there yet; `:memory:` for a run that is not kept.
 * @throws What SQLite throws, if it cannot be made.
 */
export function makeFile(path: string, options: StoreOptions, fill: (db: DatabaseSync) => void): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  return orClose(db, () => {
    setUp(db, options);
    db.exec(`BEGIN IMMEDIATE; ${TABLES}`);
    fill(db);
    db.exec("COMMIT");
  });
}

/**
 * Opens a file that is there, to write to it. Until `look` is content nothing is written: what is damaged is left as it is.
 *
 * @param look Throws if what is in it cannot be gone on with.
 * @throws {StoreError} If it is not ours, of another version, or not whole.
 * @throws What SQLite throws, if it cannot be opened.
 */
export function openFile(path: string, options: StoreOptions, look: (db: DatabaseSync) => void): DatabaseSync {
  const db = checked(path, false);
  return orClose(db, () => {
    look(db);
    if (db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] !== "ok") {
      throw new StoreError(path, "damaged", "is damaged and is left as it is; delete its folder, and run it again");
    }
    setUp(db, options);
  });
}

/**
 * Opens a file that is there, gives what is read of it, and closes it again.
 *
 * @throws {StoreError} If it is not ours, or of another version.
 * @throws What SQLite throws, if it cannot be opened.
 */
export function readFile<T>(path: string, read: (db: DatabaseSync) => T): T {
  const db = checked(path, true);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** One short write a cell, on the disk's side of a death of the process; only a power cut can cost the last of them. */
function setUp(db: DatabaseSync, { maxPages }: StoreOptions): void {
  db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
}

/** A file that is ours and of this version. */
function checked(path: string, readOnly: boolean): DatabaseSync {
  if (!isFile(path)) throw new StoreError(path, "missing", "is not there");
  // Never made by looking for it; and a log that a kill has left is read along only by those who may write.
  const db = new DatabaseSync(path, { readOnly, timeout: BUSY_MS });
  return orClose(db, () => {
    // The option alone does nothing for those who only read.
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    const version = pragma(db, "user_version");
    if (pragma(db, "application_id") !== APPLICATION_ID) {
      throw new StoreError(path, "foreign", "is a database of something else and is left as it is; move it elsewhere");
    }
    if (version !== STORE_SCHEMA) {
      throw new StoreError(
        path,
        "version",
        `is of version ${version}, and this bench reads version ${STORE_SCHEMA}; it is left as it is: use the bench that ` +
          "wrote it, or delete its folder and run it again",
      );
    }
  });
}

/** The database once this has gone well; closed if not. */
function orClose(db: DatabaseSync, work: () => void): DatabaseSync {
  try {
    work();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function pragma(db: DatabaseSync, name: "application_id" | "user_version"): unknown {
  return db.prepare(`PRAGMA ${name}`).get()?.[name];
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}
