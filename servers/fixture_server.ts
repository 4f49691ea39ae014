import { type ByteConnection, JsonLines } from "../core/mod.ts";
import type { Fixture } from "./fixture.ts";
import { FixtureHost, type FixtureState } from "./fixture_host.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { Server } from "./sdk.ts";

export { FixtureHost, type FixtureState, LEDGER, NONCE, RESET, SPAN } from "./fixture_host.ts";

/** One fixture on one connection, as an ordinary MCP server. */
export class FixtureServer {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  readonly #host: FixtureHost;
  readonly #server: Server;
  readonly #lines: JsonLines;

  /**
   * Makes a server that is not bound and not started.
   *
   * @param served What to serve; a host, and its state outlives the connection.
   * @param connection Where the client is.
   */
  constructor(served: Fixture | FixtureHost, connection: ByteConnection) {
    const host = this.#host = served instanceof FixtureHost ? served : new FixtureHost(served);
    this.#lines = new JsonLines(connection);
    const server = this.#server = host.server();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    server.onclose = () => {
      if (host !== served) host.end();
      resolve();
    };
  }

  /** Every call of the cell so far, oldest first: a live view, which stays the old cell's when the next begins. */
  get ledger(): readonly LedgerEntry[] {
    return this.#host.ledger;
  }

  /**
   * Sets the state of the next cell. Nothing of the one before remains: its calls are aborted and never answered.
   *
   * @throws {z.ZodError} If the data does not fit the fixture; the state is then unchanged.
   */
  bind(state: FixtureState): void {
    this.#host.bind(state);
  }

  /**
   * Begins to serve.
   *
   * @throws {Error} If it was never bound, or is started again.
   */
  async start(): Promise<void> {
    if (!this.#host.isBound) throw new Error("bind the fixture server before starting it");
    await this.#server.connect(this.#lines);
  }

  /** Ends the connection and every call. */
  async close(): Promise<void> {
    await this.#lines.close();
  }
}
