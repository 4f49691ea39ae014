/** The folder of runs that are kept: a folder a run, with its store and, until it has ended, its traces. */
import { join } from "node:path/posix";
import { explainStore, StoreError } from "./error.ts";
import { type RunHead, type RunState, RunStore } from "./run_store.ts";
import type { StoreOptions } from "./store_file.ts";

/** So many runs stay, the newest; when another begins, those before them go. What cannot be read is never deleted. */
export const KEPT_RUNS = 50;

/** A run's name: when it was begun (UTC), and four letters or digits that tell apart those of one second. */
const ID = /^\d{8}-\d{6}-[a-z0-9]{4}$/;
const FILE = "store.sqlite";

/** A run as the folder has it. */
export type KeptRun =
  | { readonly id: string; readonly state: RunState }
  | { readonly id: string; readonly error: StoreError };

/** What a new run is, but for its name. */
export type NewRun = Omit<RunHead, "id" | "started">;

/** See the module. */
export class RunsFolder {
  /**
   * @param path Its path; made when the first run begins.
   * @param keep How many runs stay.
   */
  constructor(readonly path: string, private readonly keep: number = KEPT_RUNS) {}

  /** The folder of a run. */
  of(id: string): string {
    return join(this.path, id);
  }

  /** Whether a text can be a run's name. */
  static isId(text: string): boolean {
    return ID.test(text);
  }

  /**
   * Begins a run.
   *
   * @param now Milliseconds since 1970.
   * @throws {StoreError} If it cannot be kept; nothing older is touched.
   */
  begin(run: NewRun, now: number, options: StoreOptions = {}): { readonly id: string; readonly store: RunStore } {
    const id = this.#claim(now);
    try {
      const started = new Date(now).toISOString();
      return { id, store: RunStore.create(join(this.of(id), FILE), { ...run, id, started }, options) };
    } catch (error) {
      remove(this.of(id));
      throw error;
    }
  }

  /**
   * Opens a run, to go on with it.
   *
   * @throws {StoreError} If there is none of that name, or if it cannot be used.
   */
  open(id: string, options: StoreOptions = {}): RunStore {
    return RunStore.open(join(this.of(id), FILE), options);
  }

  /** The runs, newest first. */
  list(): KeptRun[] {
    return this.#ids().map((id): KeptRun => {
      try {
        return { id, state: RunStore.peek(join(this.of(id), FILE)) };
      } catch (error) {
        return { id, error: explainStore(this.of(id), error) };
      }
    });
  }

  /** Deletes the runs that are too old to be kept, but for those that are in use and those that cannot be read. */
  prune(): void {
    for (const id of this.#ids().slice(this.keep)) {
      try {
        RunStore.peek(join(this.of(id), FILE));
      } catch (error) {
        if (!(error instanceof StoreError && error.trouble === "missing")) continue;
      }
      remove(this.of(id));
    }
  }

  /** Deletes a run, and what is left of its traces. */
  remove(id: string): void {
    remove(this.of(id));
  }

  /** Newest first. */
  #ids(): string[] {
    try {
      return [...Deno.readDirSync(this.path)].filter(({ name, isDirectory }) => isDirectory && ID.test(name))
        .map(({ name }) => name).sort().reverse();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw explainStore(this.path, error);
    }
  }

  /** Makes a folder that nobody else has. */
  #claim(now: number): string {
    const time = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
    try {
      Deno.mkdirSync(this.path, { recursive: true });
      for (;;) {
        const id = `${time}-${crypto.randomUUID().slice(0, 4)}`;
        try {
          Deno.mkdirSync(this.of(id));
          return id;
        } catch (error) {
          if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
        }
      }
    } catch (error) {
      throw explainStore(this.path, error);
    }
  }
}

/** Somebody else may be deleting it, too. */
function remove(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // Then it stays until the next run begins.
  }
}
