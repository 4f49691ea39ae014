/** The fixture processes of a run: each is given to one cell at a time, and none outlives the pool. */
import { FixtureProcess } from "./fixture_process.ts";
import type { ServerProcess } from "./server_process.ts";
import { THIRD_PARTIES, type ThirdParty } from "./third_party.ts";
import { ThirdPartyProcess } from "./third_party_process.ts";

/** Variables that Deno needs to find what it has already downloaded. Nothing else is passed on. */
const DENO_VARIABLES = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR"] as const;

const CLOSED = "the lane is closed";

/** Processes that wait for their next cell, and all that were ever started. */
export class FixturePool implements AsyncDisposable {
  readonly #idle = new Map<string, FixtureProcess[]>();
  readonly #all = new Set<ServerProcess>();
  readonly #env = Object.fromEntries(DENO_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
  #closed = false;

  /**
   * A process of this fixture, or of the server that it is the twin of, with this data and nothing of an earlier cell.
   *
   * @param signal Starts no process any more once it aborts.
   * @throws {FixtureError} If none can be had.
   * @throws The signal's reason, if it has aborted.
   */
  async take(fixture: string, data: unknown, signal?: AbortSignal): Promise<ServerProcess> {
    const party = THIRD_PARTIES.get(fixture);
    if (party !== undefined) return await this.#thirdParty(fixture, party, data, signal);
    for (let used = this.#idle.get(fixture)?.pop(); used !== undefined; used = this.#idle.get(fixture)?.pop()) {
      // One that an earlier cell has broken is no error of this cell: another takes its place.
      if (await this.#ready(used, data).catch(() => false)) return used;
    }
    signal?.throwIfAborted();
    if (this.#closed) throw new Error(CLOSED);
    const fresh = FixtureProcess.start(fixture, this.#env);
    this.#all.add(fresh);
    await this.#ready(fresh, data);
    return fresh;
  }

  /** Takes a process back when its cell is over. */
  giveBack(process: ServerProcess): void {
    const { fixture, isAlive } = process;
    if (!(process instanceof FixtureProcess) || !isAlive || this.#closed) return void this.#end(process);
    const waiting = this.#idle.get(fixture);
    if (waiting === undefined) this.#idle.set(fixture, [process]);
    else waiting.push(process);
  }

  /** Ends every process, whoever has it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((process) => this.#end(process)));
  }

  async #thirdParty(fixture: string, party: ThirdParty, data: unknown, signal?: AbortSignal): Promise<ServerProcess> {
    signal?.throwIfAborted();
    if (this.#closed) throw new Error(CLOSED);
    const fresh = ThirdPartyProcess.start(fixture, party, data, this.#env);
    this.#all.add(fresh);
    try {
      await fresh.ready();
      return fresh;
    } catch (error) {
      await this.#end(fresh);
      throw error;
    }
  }

  async #ready(process: FixtureProcess, data: unknown): Promise<true> {
    try {
      await process.reset(data);
      if (this.#closed) throw new Error(CLOSED);
      return true;
    } catch (error) {
      await this.#end(process);
      throw error;
    }
  }

  async #end(process: ServerProcess): Promise<void> {
    // Left in the list until it is gone, so that the pool's end waits for it.
    await process.close();
    this.#all.delete(process);
  }
}
