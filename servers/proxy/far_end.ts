import type { ByteConnection, ByteReader } from "../../core/mod.ts";

/** The server's side of a link, of which it is known whether it has begun to talk. */
export class FarEnd implements ByteConnection {
  /** Resolves when the server has said anything at all, or has ended: until then it may still be starting. */
  readonly heard: Promise<void>;
  /** Asked when the server has ended; the link is told of it afterwards. */
  beforeEnd: (() => Promise<unknown>) | undefined;
  readonly #hear: () => void;

  /** Takes charge of a connection. */
  constructor(private readonly below: ByteConnection) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.heard = promise;
    this.#hear = resolve;
  }

  /** Begins to deliver what the server says. */
  open(reader: ByteReader): void {
    this.below.open({
      bytes: (chunk) => {
        this.#hear();
        reader.bytes(chunk);
      },
      closed: () => {
        this.#hear();
        if (this.beforeEnd === undefined) reader.closed();
        else void this.beforeEnd().then(() => reader.closed());
      },
    });
  }

  /** Sends bytes. */
  write(chunk: Uint8Array): void | Promise<void> {
    return this.below.write(chunk);
  }

  /** Ends it. */
  close(): Promise<void> {
    return this.below.close();
  }
}
