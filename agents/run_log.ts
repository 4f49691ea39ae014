/** What a run has to remember beyond its checkpoints, so that a killed run can go on: calls sent, decisions made. */
import type { Json } from "../core/mod.ts";

/** An append-only log of one run. An entry that `append` has returned from survives a kill. */
export interface RunLog {
  /** Adds an entry to a list. */
  append(list: string, entry: Json): void;
  /** All entries of a list, oldest first. */
  read(list: string): readonly Json[];
}

/** Remembers as long as the process lives. */
export class MemoryRunLog implements RunLog {
  readonly #lists = new Map<string, Json[]>();

  /** See {@linkcode RunLog.append}. */
  append(list: string, entry: Json): void {
    const entries = this.#lists.get(list);
    if (entries === undefined) this.#lists.set(list, [entry]);
    else entries.push(entry);
  }

  /** See {@linkcode RunLog.read}. */
  read(list: string): readonly Json[] {
    return this.#lists.get(list) ?? [];
  }
}
