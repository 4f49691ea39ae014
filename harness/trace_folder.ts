/** The traces of a run as files, each written whole when its cell ends. */
import { join } from "node:path/posix";
import { passingBytes } from "../core/mod.ts";
import { UsageError } from "./cli/exit.ts";
import { type Cell, cellId } from "./trace/event.ts";

/** See the module. */
export class TraceFolder {
  #isMade = false;
  #trouble: UsageError | undefined;

  /** What the names of files end in that are not whole yet. */
  readonly #ending: string;

  /**
   * @param path Its path; made when the first trace is written.
   * @param run The run whose traces they are, of all that may write here at once.
   */
  constructor(readonly path: string, run: string = `${Deno.pid}`) {
    this.#ending = `.${run}.tmp`;
  }

  /** Takes away what an earlier life of the run was about to write when it was killed. */
  tidy(): void {
    try {
      for (const { name } of Deno.readDirSync(this.path)) {
        if (name.endsWith(`.jsonl${this.#ending}`)) Deno.removeSync(join(this.path, name));
      }
    } catch {
      // It has none, or they are not ours to remove: nobody reads them.
    }
  }

  /** Why the last trace that could not be written could not; none if all could. */
  get trouble(): UsageError | undefined {
    return this.#trouble;
  }

  /** Writes a trace whole or not at all. That one cannot be written must not cost the others' results: it is told later. */
  write(cell: Cell, text: string): void {
    const path = join(this.path, `${cellId(cell).replaceAll("/", ".")}.jsonl`);
    const unfinished = `${path}${this.#ending}`;
    try {
      if (!this.#isMade) Deno.mkdirSync(this.path, { recursive: true });
      this.#isMade = true;
      Deno.writeFileSync(unfinished, passingBytes(text));
      Deno.renameSync(unfinished, path);
    } catch (error) {
      try {
        Deno.removeSync(unfinished);
      } catch {
        // It was never there.
      }
      const message = error instanceof Error ? error.message : String(error);
      const reason = message.replace(/: \w+ '.*$/s, "").replace(/ \(os error \d+\)/, "").toLowerCase();
      this.#trouble = new UsageError(`${path} cannot be written: ${reason}`);
    }
  }
}
