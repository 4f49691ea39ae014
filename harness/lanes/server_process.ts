/** A server of the wire lane, as a process: a fixture of ours, or somebody else's. */
import type { ByteConnection } from "../../core/mod.ts";

/** A running server, leased to one cell at a time. */
export interface ServerProcess {
  /** Name of the fixture that it is, or whose place it takes. */
  readonly fixture: string;
  /** Whether it can be leased again. */
  readonly isAlive: boolean;
  /**
   * The connection of one cell. Closing it leaves the process running.
   *
   * @throws {Error} If the lease before it is not closed.
   */
  lease(): ByteConnection;
  /**
   * What is on record of its cell, as a fixture answers `brownout/ledger`; afterwards it can be leased again, to the
   * same cell.
   *
   * @throws {FixtureError} If there is none, or it is leased.
   */
  ledger(): Promise<unknown>;
  /** Ends the process and its whole group. */
  close(): Promise<void>;
}
