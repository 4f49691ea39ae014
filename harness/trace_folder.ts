/** The traces of a run as files, each written whole when its cell ends. */
import { join } from "node:path/posix";
import { UsageError } from "./cli/exit.ts";
import { type Cell, cellId } from "./trace/event.ts";

/** See the module. */
export class TraceFolder {
  #isMade = false;
  #trouble: UsageError | undefined;

  /** @param path Its path; made when the first trace is written. */
  constructor(readonly path: string) {}

  /** Why the last trace that could not be written could not; none if all could. */
  get trouble(): UsageError | undefined {
    return this.#trouble;
  }

  /** Writes a trace whole or not at all. That one cannot be written must not cost the others' results: it is told later. */
  write(cell: Cell, text: string): void {
    const path = join(this.path, `${cellId(cell).replaceAll("/", ".")}.jsonl`);
    const unfinished = `${path}.${Deno.pid}.tmp`;
    try {
      if (!this.#isMade) Deno.mkdirSync(this.path, { recursive: true });
      this.#isMade = true;
      Deno.writeTextFileSync(unfinished, text);
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
