/**
 * Two-way byte connections: the seam at which the lanes differ. Everything above a connection (framing, faults,
 * protocol) is the same code over an in-memory pair and over a child process's pipes.
 */

/** What a connection tells its one reader, whose methods must not throw. */
export interface ByteReader {
  /** Some bytes arrived, in order; how they are cut means nothing. The chunk may be kept. */
  bytes(chunk: Uint8Array): void;
  /** No more bytes will arrive. Called once. */
  closed(): void;
}

/** One end of a two-way byte connection. */
export interface ByteConnection {
  /** Begins delivery to the one reader; what arrived before is delivered first. */
  open(reader: ByteReader): void;
  /**
   * Sends bytes to the other end. The chunk is the connection's from here on: do not change it.
   *
   * @throws {ClosedError} If the connection is closed.
   */
  write(chunk: Uint8Array): void | Promise<void>;
  /** Closes both directions and releases everything behind them. Harmless when called again. */
  close(): Promise<void>;
}

/** Bytes were written to a connection that is closed. */
export class ClosedError extends Error {
  /** `ClosedError` */
  override readonly name = "ClosedError";
  /**
   * A write that came too late.
   *
   * @param message What was closed, for people.
   */
  constructor(message = "the connection is closed") {
    super(message);
  }
}

class MemoryEnd implements ByteConnection {
  other: MemoryEnd | undefined;
  #reader: ByteReader | undefined;
  #queue: (Uint8Array | null)[] = [];
  #scheduled = false;
  #closed = false;

  open(reader: ByteReader): void {
    this.#reader = reader;
    this.#schedule();
  }

  write(chunk: Uint8Array): void {
    if (this.#closed || this.other === undefined) throw new ClosedError();
    this.other.#enqueue(chunk);
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      if (this.other !== undefined) this.other.#hangUp();
      this.#enqueue(null);
    }
    return Promise.resolve();
  }

  #hangUp(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#enqueue(null);
  }

  #enqueue(item: Uint8Array | null): void {
    this.#queue.push(item);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#reader === undefined || this.#queue.length === 0) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      const items = this.#queue;
      this.#queue = [];
      for (const item of items) {
        if (item === null) this.#reader?.closed();
        else this.#reader?.bytes(item);
      }
    });
  }
}

/**
 * Two ends of an in-memory connection. Bytes arrive in the order in which they were written, on the microtask queue.
 */
export function memoryPair(): [ByteConnection, ByteConnection] {
  const [a, b] = [new MemoryEnd(), new MemoryEnd()];
  a.other = b;
  b.other = a;
  return [a, b];
}
