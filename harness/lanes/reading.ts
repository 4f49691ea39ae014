/** Who reads what a process says: one cell after another, or nobody. */
import { type ByteConnection, type ByteReader, ClosedError } from "../../core/mod.ts";

/** The process behind a connection. */
export interface Readable {
  /** Whether it has ended, or is about to. */
  isGone(): boolean;
  /** Gives it bytes. */
  write(chunk: Uint8Array): void | Promise<void>;
}

/** The one reader that a process has at a time. */
export class Reading {
  #reader: ByteReader | undefined;

  /** Whether somebody reads. */
  get isTaken(): boolean {
    return this.#reader !== undefined;
  }

  /** Gives it to somebody, or to nobody. */
  take(reader: ByteReader | undefined): void {
    this.#reader = reader;
  }

  /** What the process says. Thrown away if nobody reads. */
  bytes(chunk: Uint8Array): void {
    this.#reader?.bytes(chunk);
  }

  /** Nothing comes any more for whoever reads. */
  end(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.closed();
  }

  /**
   * A connection of one cell. Closing it leaves the process running, and whoever still holds it then can no longer reach
   * the process.
   */
  connection(process: Readable): ByteConnection {
    let state: "new" | "open" | "closed" = "new";
    let own: ByteReader | undefined;
    return {
      open: (reader) => {
        if (state !== "new" || process.isGone()) return reader.closed();
        state = "open";
        this.#reader = own = reader;
      },
      write: (chunk) => {
        if (state === "closed") throw new ClosedError();
        return process.write(chunk);
      },
      close: () => {
        // By now somebody else may read the process, or it may have ended, which its reader has been told.
        if (state === "open" && this.#reader === own) this.end();
        state = "closed";
        return Promise.resolve();
      },
    };
  }
}
