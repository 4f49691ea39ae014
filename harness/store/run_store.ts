/**
 * The store of one run: a file of SQLite with what the run is and the result of each cell that has ended. A file a run, so
 * that nothing that becomes of one can touch another.
 *
 * Loaded only by those who keep runs.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { hash } from "node:crypto";
import { oneLine } from "../../core/mod.ts";
import * as z from "zod";
import { explainStore, StoreError } from "./error.ts";
import { pack, unpack } from "./pack.ts";
import { RunPlan } from "./plan.ts";
import { makeFile, openFile, readFile, type StoreOptions } from "./store_file.ts";

/** What a run is. */
export interface RunHead {
  /** Its name. */
  readonly id: string;
  /** The command that began it, without the words before `bench`'s own. */
  readonly command: string;
  /** What it is made of. */
  readonly plan: RunPlan;
  /** One text for the plan. */
  readonly fingerprint: string;
  /** When it was begun: UTC, ISO 8601. */
  readonly started: string;
}

/** How far a run is. */
export interface RunState extends RunHead {
  /** How many cells have ended. */
  readonly done: number;
  /** How many processes have worked on it, one after another. */
  readonly lives: number;
  /** When its report was made; none if it has not ended. */
  readonly finished?: string;
  /** The outcome of its report. */
  readonly outcome?: string;
  /** What its models have used: a text for each process that has asked any; none if nobody was asked. */
  readonly spent?: readonly string[];
}

/** A cell that has ended. */
export interface StoredCell {
  /** Its number in the run, from 0. */
  readonly n: number;
  /** Its name. */
  readonly cell: string;
  /** How much it is worth a look: 0 is most. */
  readonly rank: number;
  /** What the tables of the report need of it: JSON. */
  readonly gist: string;
  /** The whole of it: JSON. */
  readonly result: string;
  /** Its trace, where somebody will look at it: JSON lines. */
  readonly trace?: string;
}

/** What the store says of a cell besides what came of it. */
export interface CellMark {
  readonly n: number;
  readonly cell: string;
  /** SHA-256 of the result, packed. */
  readonly digest: string;
  /** The number of the process that ran it, from 1. */
  readonly life: number;
}

const Row = z.object({
  id: z.string(),
  command: z.string(),
  plan: z.string(),
  fingerprint: z.string(),
  started: z.string(),
  lives: z.int(),
  finished: z.string().nullable(),
  outcome: z.string().nullable(),
});
const Mark = z.object({ n: z.int(), cell: z.string(), digest: z.string(), life: z.int() });
const Spent = z.object({ life: z.int(), used: z.string() });
const Count = z.object({ n: z.int() });

/** See the module. Whoever has it open has it alone: it is locked until it is closed. Close it with `using`. */
export class RunStore implements Disposable {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #life: number;
  readonly #put: StatementSync;
  readonly #gist: StatementSync;
  readonly #result: StatementSync;
  readonly #trace: StatementSync;

  private constructor(db: DatabaseSync, path: string, life: number) {
    this.#db = db;
    this.#path = path;
    this.#life = life;
    this.#put = db.prepare(
      "INSERT INTO cell (n, cell, digest, rank, life, gist, gist_digest, result, trace, trace_digest) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#gist = db.prepare("SELECT digest, gist_digest, gist FROM cell WHERE n = ?");
    this.#result = db.prepare("SELECT digest, result FROM cell WHERE n = ?");
    this.#trace = db.prepare("SELECT digest, trace_digest, trace FROM cell WHERE n = ?");
  }

  /**
   * Makes the store of a new run.
   *
   * @param path A file that is not there yet; `:memory:` for a run that is not kept.
   * @throws {StoreError} If it cannot be made.
   */
  static create(path: string, head: RunHead, options: StoreOptions = {}): RunStore {
    return opened(path, () => {
      const { id, command, plan, fingerprint, started } = head;
      const db = makeFile(path, options, (db) => {
        db.prepare("INSERT INTO run (id, command, plan, fingerprint, started, lives) VALUES (?, ?, ?, ?, ?, 1)")
          .run(id, command, JSON.stringify(plan), fingerprint, started);
      });
      return new RunStore(db, path, 1);
    });
  }

  /**
   * Opens the store of a run that is there, to go on with it.
   *
   * @throws {StoreError} If it is damaged, not ours, of another version, or in use. It is left as it is.
   */
  static open(path: string, options: StoreOptions = {}): RunStore {
    return opened(path, () => {
      let life = 1;
      const db = openFile(path, options, (db) => life = stateOf(db, path).lives + 1);
      try {
        db.prepare("UPDATE run SET lives = ?").run(life);
        return new RunStore(db, path, life);
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  /**
   * Says how far a run is, and closes the file again.
   *
   * @throws {StoreError} As `open` does.
   */
  static peek(path: string): RunState {
    return opened(path, () => readFile(path, (db) => stateOf(db, path)));
  }

  /** The run, and how far it is. */
  state(): RunState {
    return this.#try(() => stateOf(this.#db, this.#path));
  }

  /** Whether no cell has ended yet. */
  isEmpty(): boolean {
    return this.#try(() => this.#db.prepare("SELECT 1 FROM cell LIMIT 1").get()) === undefined;
  }

  /** Numbers of the cells that have ended. */
  done(): Set<number> {
    return this.#try(() => new Set(this.#db.prepare("SELECT n FROM cell").all().map((row) => Count.parse(row).n)));
  }

  /** The cells that have ended, without their results. */
  marks(): CellMark[] {
    const rows = this.#try(() => this.#db.prepare("SELECT n, cell, digest, life FROM cell ORDER BY n").all());
    return rows.map((row) => Mark.parse(row));
  }

  /**
   * Keeps a cell that has ended. It is in the file when this returns, whatever becomes of the process.
   *
   * @throws {StoreError} If it cannot be written, or is there already.
   */
  save({ n, cell, rank, gist, result, trace }: StoredCell): void {
    const packed = pack(result);
    const kept = trace === undefined ? null : pack(trace);
    const digest = sha256(packed);
    const ofTrace = kept === null ? null : sealOf(digest, kept);
    this.#try(() =>
      this.#put.run(n, cell, digest, rank, this.#life, gist, sealOf(digest, gist), packed, kept, ofTrace)
    );
  }

  /**
   * The gist of a cell.
   *
   * @throws {StoreError} If there is none, or if it is not what was written.
   */
  gist(n: number): string {
    const row = this.#try(() => this.#gist.get(n));
    const text = row?.["gist"];
    if (typeof text !== "string" || sealOf(row?.["digest"], text) !== row?.["gist_digest"]) throw this.#damaged(n);
    return text;
  }

  /** Keeps what models have used in this process's part of the run, in the place of what was kept of it before. */
  spend(used: string): void {
    this.#try(() => this.#db.prepare("REPLACE INTO spent (life, used) VALUES (?, ?)").run(this.#life, used));
  }

  /** What models had used before this process. */
  spentBefore(): string[] {
    return this.#try(() => spentOf(this.#db, this.#life));
  }

  /**
   * The result of a cell.
   *
   * @throws {StoreError} If there is none, or if it is not what was written.
   */
  result(n: number): string {
    const row = this.#try(() => this.#result.get(n));
    const bytes = row?.["result"];
    const isWhole = bytes instanceof Uint8Array && sha256(bytes) === row?.["digest"];
    const text = isWhole ? this.#unpacked(bytes) : undefined;
    if (text === undefined) throw this.#damaged(n);
    return text;
  }

  /**
   * The trace of a cell; nothing if it has none.
   *
   * @throws {StoreError} If it is not what was written.
   */
  trace(n: number): string | undefined {
    const row = this.#try(() => this.#trace.get(n));
    const bytes = row?.["trace"];
    if (bytes === undefined || bytes === null) return undefined;
    const isWhole = bytes instanceof Uint8Array && sealOf(row?.["digest"], bytes) === row?.["trace_digest"];
    const text = isWhole ? this.#unpacked(bytes) : undefined;
    if (text === undefined) throw this.#damaged(n);
    return text;
  }

  /** Forgets cells, as if they had not ended: whoever goes on with the run runs them again. */
  forget(numbers: Iterable<number>): void {
    const statement = this.#db.prepare("DELETE FROM cell WHERE n = ?");
    this.#try(() => {
      for (const n of numbers) statement.run(n);
    });
  }

  /** The cell with a trace that is most worth a look; of equals the first. Of those that were forgotten none is left. */
  telling(): { readonly n: number; readonly rank: number } | undefined {
    const row = this.#try(() =>
      this.#db.prepare("SELECT n, rank FROM cell WHERE trace IS NOT NULL ORDER BY rank, n LIMIT 1").get()
    );
    return row === undefined ? undefined : z.object({ n: z.int(), rank: z.int() }).parse(row);
  }

  /** Notes that the run's report has been made. */
  finish(outcome: string, finished: string): void {
    this.#try(() => this.#db.prepare("UPDATE run SET outcome = ?, finished = ?").run(outcome, finished));
  }

  /** Closes the file, and leaves it as one file that a read-only folder can be read from. Harmless when called again. */
  [Symbol.dispose](): void {
    if (!this.#db.isOpen) return;
    try {
      this.#db.exec("PRAGMA journal_mode = DELETE");
    } catch {
      // The disk is full: then the log stays beside the file, and is read with it.
    }
    this.#db.close();
  }

  #unpacked(bytes: Uint8Array): string | undefined {
    try {
      return unpack(bytes);
    } catch {
      return undefined;
    }
  }

  #damaged(n: number): StoreError {
    return new StoreError(
      this.#path,
      "damaged",
      `is damaged: cell ${n} is not what was written; delete its folder, and run it again`,
    );
  }

  #try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainStore(this.#path, error);
    }
  }
}

function sha256(data: string | Uint8Array): string {
  return hash("sha256", data);
}

/** A digest of what stands beside a result, by which it is of that one and of no other. */
function sealOf(result: unknown, data: string | Uint8Array): string {
  return sha256(`${result} ${sha256(data)}`);
}

function opened<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainStore(path, error);
  }
}

function stateOf(db: DatabaseSync, path: string): RunState {
  const row = Row.safeParse(db.prepare("SELECT * FROM run").get());
  const plan = row.success ? planOf(row.data.plan) : undefined;
  if (!row.success || plan === undefined) {
    throw new StoreError(path, "damaged", "is damaged: it does not say which run it is; delete its folder");
  }
  const { finished, outcome, ...rest } = row.data;
  const spent = spentOf(db, Infinity);
  const { n: done } = Count.parse(db.prepare("SELECT count(*) AS n FROM cell").get());
  return {
    ...rest,
    command: oneLine(rest.command),
    plan,
    done,
    ...(spent.length === 0 ? {} : { spent }),
    ...(finished === null ? {} : { finished }),
    ...(outcome === null ? {} : { outcome }),
  };
}

/** What was kept by the processes before that one. */
function spentOf(db: DatabaseSync, life: number): string[] {
  const rows = db.prepare("SELECT life, used FROM spent ORDER BY life").all().map((row) => Spent.parse(row));
  return rows.filter((row) => row.life < life).map(({ used }) => used);
}

function planOf(text: string): RunPlan | undefined {
  try {
    return RunPlan.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
