/** JSON lines: one message a line, as MCP's stdio transport has it. */
import { LineSplitter, MAX_LINE_BYTES } from "./line_splitter.ts";
import type { ByteConnection } from "./pipe.ts";

const ENCODER = new TextEncoder();

/**
 * A message as one line of bytes, newline included.
 *
 * @throws {TypeError} If JSON cannot carry it.
 */
export function encodeLine(message: unknown): Uint8Array {
  const text: string | undefined = JSON.stringify(message);
  if (text === undefined) throw new TypeError(`not a JSON value: ${typeof message}`);
  return ENCODER.encode(text + "\n");
}

/** What was wrong with a line that held no message. */
export interface BadLine {
  /** `not_json`; `overlong` where the line went over the cap; `truncated` where the stream ended before its newline. */
  readonly why: "not_json" | "overlong" | "truncated";
  /** The beginning of the line, at most 200 characters; empty for an overlong one. */
  readonly head: string;
}

/**
 * Messages over a byte connection. Has the shape of an MCP SDK transport (`start`, `send`, `close` and the `on…`
 * callbacks) without needing the SDK.
 */
export class JsonLines {
  /** Called with each message, as parsed from its line. */
  onmessage?: (message: unknown) => void;
  /** Called with each line that is not a message; delivery goes on. */
  onbadline?: (bad: BadLine) => void;
  /** Called with errors of writing, and with what the other callbacks throw: one bad message must not cost the rest. */
  onerror?: (error: Error) => void;
  /** Called once, when no more messages can arrive. */
  onclose?: () => void;
  #closed = false;
  #closing = false;

  /**
   * Makes a transport over a connection that nobody else reads.
   *
   * @param connection The bytes below.
   * @param maxLineBytes The longest line that is accepted, in bytes.
   */
  constructor(readonly connection: ByteConnection, private readonly maxLineBytes: number = MAX_LINE_BYTES) {}

  /** Begins delivery. */
  start(): Promise<void> {
    const splitter = new LineSplitter({
      line: (text) => this.#line(text),
      overlong: () => this.#bad("overlong", ""),
      truncated: (text) => this.#bad("truncated", text),
    }, this.maxLineBytes);
    this.connection.open({
      bytes: (chunk) => splitter.push(chunk),
      closed: () => {
        // What we cut off ourselves is not the other end's fault.
        if (!this.#closing) splitter.end();
        this.#finish();
      },
    });
    return Promise.resolve();
  }

  /** Sends one message. */
  async send(message: unknown): Promise<void> {
    try {
      await this.connection.write(encodeLine(message));
    } catch (error) {
      this.onerror?.(asError(error));
      throw error;
    }
  }

  /** Closes the connection below and reports the close. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.connection.close();
    this.#finish();
  }

  #line(text: string): void {
    if (text.trim() === "") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#bad("not_json", text);
    }
    this.#guarded(() => this.onmessage?.(message));
  }

  #bad(why: BadLine["why"], text: string): void {
    this.#guarded(() => this.onbadline?.({ why, head: text.slice(0, 200) }));
  }

  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.onerror?.(asError(error));
    }
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
