const NEWLINE = 10;
const DECODER = new TextDecoder();

/** Lines longer than this are refused, in bytes. */
export const MAX_LINE_BYTES: number = 16 * 1024 * 1024;

/** What a {@linkcode LineSplitter} finds. */
export interface LineSink {
  /** A whole line, without its newline. */
  line(text: string, bytes: number): void;
  /** A line was longer than the cap; its bytes are dropped up to the next newline. */
  overlong(maxBytes: number): void;
  /** The stream ended in the middle of a line: it had no newline, so nobody can say that it was whole. */
  truncated?(text: string, bytes: number): void;
}

/**
 * Cuts a byte stream into lines in linear time, whatever the chunks: a multi-byte character may be cut anywhere, a line
 * over the cap is dropped without being held. Only a newline ends a line. Bytes that are not UTF-8 become U+FFFD, and a
 * byte order mark at the beginning of a line is left out (RFC 8259 lets a parser ignore it).
 */
export class LineSplitter {
  #parts: Uint8Array[] = [];
  #size = 0;
  #skipping = false;

  /**
   * Makes a splitter for one stream.
   *
   * @param sink Told of each line.
   * @param maxBytes The longest line that is accepted, in bytes.
   */
  constructor(private readonly sink: LineSink, private readonly maxBytes: number = MAX_LINE_BYTES) {}

  /** Bytes of an unfinished last line. */
  get pendingBytes(): number {
    return this.#size;
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    for (let from = 0;;) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end < 0) return this.#keep(from === 0 ? chunk : chunk.subarray(from));
      this.#finish(chunk.subarray(from, end));
      from = end + 1;
    }
  }

  /** Says that no more bytes will come. */
  end(): void {
    if (this.#size === 0) return;
    const bytes = this.#size;
    const text = DECODER.decode(this.#join(new Uint8Array()));
    this.sink.truncated?.(text, bytes);
  }

  #keep(rest: Uint8Array): void {
    if (this.#skipping || rest.length === 0) return;
    this.#size += rest.length;
    if (this.#size > this.maxBytes) {
      this.#parts = [];
      this.#size = 0;
      this.#skipping = true;
      this.sink.overlong(this.maxBytes);
    } else {
      this.#parts.push(rest);
    }
  }

  #finish(last: Uint8Array): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const size = this.#size + last.length;
    if (size > this.maxBytes) {
      this.#parts = [];
      this.#size = 0;
      return this.sink.overlong(this.maxBytes);
    }
    this.sink.line(DECODER.decode(this.#join(last)), size);
  }

  /** What was kept of the line, and its end, in one piece; nothing is kept after that. */
  #join(last: Uint8Array): Uint8Array {
    if (this.#size === 0) return last;
    const bytes = new Uint8Array(this.#size + last.length);
    let offset = 0;
    for (const part of [...this.#parts, last]) {
      bytes.set(part, offset);
      offset += part.length;
    }
    this.#parts = [];
    this.#size = 0;
    return bytes;
  }
}
