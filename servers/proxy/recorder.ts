import { type Clock, Redactor } from "../../core/mod.ts";
import { ProxyUsageError } from "./options.ts";

const ENCODER = new TextEncoder();

/** Writes what happens to a file, one JSON object a line, without what looks like a secret. */
export class Recorder implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #clock: Clock;
  readonly #redactor = new Redactor();
  #broken = false;

  /**
   * Begins a new file.
   *
   * @param path Where it is; what was there is lost.
   * @param clock What events are stamped with, in whole milliseconds.
   * @throws {ProxyUsageError} If it cannot be written.
   */
  constructor(path: string, clock: Clock, private readonly say: (line: string) => void) {
    this.#clock = clock;
    try {
      this.#file = Deno.openSync(path, { write: true, create: true, truncate: true });
    } catch (error) {
      const hint = error instanceof Deno.errors.NotCapable ? `: run deno with --allow-write=${path}` : `: ${error}`;
      throw new ProxyUsageError(`${path} cannot be written${hint}`);
    }
  }

  /** Writes an event. Never throws: a full disk must not be a fault of the server's. */
  write(event: object): void {
    if (this.#broken) return;
    const stamped = { t: Math.round(this.#clock.now()), ...event };
    const json = JSON.stringify(stamped);
    const clean = this.#redactor.value(stamped, json);
    const bytes = ENCODER.encode(`${clean === stamped ? json : JSON.stringify(clean)}\n`);
    try {
      for (let done = 0; done < bytes.length;) done += this.#file.writeSync(bytes.subarray(done));
    } catch (error) {
      this.#broken = true;
      this.say(`the record ends here: ${error}`);
    }
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#broken = true;
    this.#file.close();
  }
}
