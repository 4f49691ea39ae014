/**
 * A fixture as a process of its own, leased to one cell after another. Starting one costs a third of a second of CPU; a
 * reset costs a round trip, and leaves nothing of the cell before.
 */
import { fileURLToPath } from "node:url";
import { type ByteConnection, type ChildConnection, encodeLine, LineSplitter, spawnChild } from "../../core/mod.ts";
import { LEDGER, RESET } from "../../servers/mod.ts";
import { Reading } from "./reading.ts";
import type { ServerProcess } from "./server_process.ts";

/** How long a fixture may take to start and to be reset, in real milliseconds. */
const READY_MS = 120_000;
const ASKED_ID = "brownout-asked";
const SERVE = fileURLToPath(new URL("../../servers/serve.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const NEWLINE = new Uint8Array([10]);

/** The process did not do what a fixture does: an error of the bench. */
export class FixtureError extends Error {
  /** `FixtureError` */
  override readonly name = "FixtureError";
}

/** A running fixture. */
export class FixtureProcess implements ServerProcess {
  readonly #child: ChildConnection;
  readonly #reading = new Reading();
  #gone = false;
  #isReset = false;

  private constructor(readonly fixture: string, child: ChildConnection) {
    this.#child = child;
    child.open({
      bytes: (chunk) => this.#reading.bytes(chunk),
      closed: () => {
        this.#gone = true;
        this.#reading.end();
      },
    });
  }

  /**
   * Starts a fixture.
   *
   * @param env Environment of the process; it needs to find Deno's cache.
   */
  static start(fixture: string, env: Readonly<Record<string, string>>): FixtureProcess {
    const args = ["run", "--quiet", "--no-prompt", "--cached-only", "--config", CONFIG, SERVE, fixture];
    return new FixtureProcess(fixture, spawnChild({ command: Deno.execPath(), args, env }));
  }

  /** Whether it can be leased again. */
  get isAlive(): boolean {
    return !this.#gone;
  }

  /** Its process id. */
  get pid(): number {
    return this.#child.pid;
  }

  /**
   * Gives the process new data, and waits until it has taken it: what it still had to say to the cell before comes
   * first, and is thrown away.
   *
   * @throws {FixtureError} If it does not answer, with the end of its stderr.
   */
  async reset(data: unknown): Promise<void> {
    this.#isReset = false;
    await this.#ask(RESET, { data });
    this.#isReset = true;
  }

  /**
   * What the process has on record of its cell. Asked for when no lease is open; afterwards it can be leased again, to
   * the same cell.
   *
   * @throws {FixtureError} If it does not answer, or is leased.
   */
  async ledger(): Promise<unknown> {
    if (this.#reading.isTaken) throw new FixtureError(`${this.fixture} is leased already`);
    const ledger = await this.#ask(LEDGER, {});
    this.#isReset = true;
    return ledger;
  }

  /** Asks something that is no part of any cell. What the process still had to say comes first, and is thrown away. */
  async #ask(method: string, params: { readonly [key: string]: unknown }): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const splitter = new LineSplitter({
      line: (text) => {
        const reply = parseReply(text);
        if (reply !== undefined && "result" in reply) resolve(reply.result);
        else if (reply !== undefined) reject(new FixtureError(`${this.fixture}: ${reply.error}`));
      },
      overlong: () => {},
    });
    const closed = () => reject(new FixtureError(`${this.fixture} ended: ${this.#child.stderrTail.trim()}`));
    const late = () => reject(new FixtureError(`${this.fixture} was not ready after ${READY_MS} ms`));
    const timer = setTimeout(late, READY_MS);
    this.#reading.take({ bytes: (chunk) => splitter.push(chunk), closed });
    if (this.#gone) closed();
    // A newline first: the cell before may have left half a line.
    const request = encodeLine({ jsonrpc: "2.0", id: ASKED_ID, method, params });
    // A process that takes no more input has ended or is about to, which its reader is told.
    for (const bytes of [NEWLINE, request]) this.#child.write(bytes).catch(() => {});
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#reading.take(undefined);
    }
  }

  /**
   * The connection of one cell. Closing it leaves the process running, and whoever still holds it then can no longer
   * reach the process.
   *
   * @throws {Error} If the lease before it is not closed, or the process was never reset after it: a second connection
   *   needs a second process.
   */
  lease(): ByteConnection {
    if (!this.#isReset) throw new Error(`${this.fixture} is leased already`);
    this.#isReset = false;
    return this.#reading.connection({ isGone: () => this.#gone, write: (chunk) => this.#child.write(chunk) });
  }

  /** Ends the process and its whole group. */
  close(): Promise<void> {
    this.#gone = true;
    return this.#child.close();
  }
}

/** The answer, or what was wrong, or `undefined` for a line that is neither. */
function parseReply(text: string): { readonly result: unknown } | { readonly error: string } | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof message !== "object" || message === null || !("id" in message) || message.id !== ASKED_ID) {
    return undefined;
  }
  if ("error" in message) return { error: JSON.stringify(message.error) };
  return { result: "result" in message ? message.result : undefined };
}
