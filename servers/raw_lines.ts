import { MAX_LINE_BYTES } from "../core/mod.ts";

const NEWLINE = 10;

/** What a {@linkcode RawLines} finds. */
export interface RawLineSink {
  /** A whole line, newline included, in the very bytes that arrived. */
  line(bytes: Uint8Array): void;
  /** Bytes that are no whole line: of one over the cap, or of a last one without a newline. */
  rest(bytes: Uint8Array): void;
}

/**
 * Cuts a byte stream into lines without losing or changing a byte. The link needs this rather than core's splitter, which
 * decodes: what a link does not touch must leave it as it came, invalid UTF-8 included.
 */
export class RawLines {
  #parts: Uint8Array[] = [];
  #size = 0;
  #overlong = false;

  /**
   * @param sink Told of all bytes, in order.
   * @param maxBytes The longest line that is held back, in bytes; a longer one passes as `rest`.
   */
  constructor(private readonly sink: RawLineSink, private readonly maxBytes: number = MAX_LINE_BYTES) {}

  /** Bytes that are held back: those of an unfinished line. */
  get pendingBytes(): number {
    return this.#size;
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from) + 1;
      if (end === 0) break;
      this.#finish(from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end));
      from = end;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** No more bytes will come: hands out what is left. */
  end(): void {
    if (this.#size > 0) this.sink.rest(this.#take());
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#overlong || this.#size > this.maxBytes) {
      this.#overlong = true;
      // Piece by piece: joined, a line that is over the cap would be held twice.
      const parts = this.#parts;
      this.#parts = [];
      this.#size = 0;
      for (const one of parts) this.sink.rest(one);
    }
  }

  #finish(part: Uint8Array): void {
    if (this.#overlong) {
      this.#overlong = false;
      return this.sink.rest(part);
    }
    if (this.#size === 0) return this.sink.line(part);
    this.#parts.push(part);
    this.#size += part.length;
    this.sink.line(this.#take());
  }

  #take(): Uint8Array {
    const whole = new Uint8Array(this.#size);
    let offset = 0;
    for (const part of this.#parts) {
      whole.set(part, offset);
      offset += part.length;
    }
    this.#parts = [];
    this.#size = 0;
    return whole;
  }
}
