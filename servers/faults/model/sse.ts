/** Server-sent events (WHATWG HTML, section 9.2), as the protocols use them: fields `event` and `data`, on bytes. */

/** One event. */
export interface SseEvent {
  /** Its name, if it has one. */
  readonly event?: string;
  /** Its data; empty for a comment. */
  readonly data: string;
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const [LF, CR] = [10, 13];

/** The bytes of an event. */
export function encodeEvent({ event, data }: SseEvent): Uint8Array {
  const lines = data.split("\n").map((line) => `data: ${line}\n`).join("");
  return ENCODER.encode(`${event === undefined ? "" : `event: ${event}\n`}${lines}\n`);
}

/** Reads the bytes of one whole event. */
export function decodeEvent(bytes: Uint8Array): SseEvent {
  let event: string | undefined;
  const data: string[] = [];
  for (const line of DECODER.decode(bytes).split(/\r?\n/)) {
    const [, field, value = ""] = /^(event|data)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return { ...(event !== undefined && { event }), data: data.join("\n") };
}

/** Cuts bytes, whatever their chunks, into whole events. All bytes are in one of them. */
export class EventSplitter {
  #rest: Uint8Array[] = [];
  #lineIsEmpty = true;

  /** Takes more bytes, and gives the events that they complete. */
  push(chunk: Uint8Array): Uint8Array[] {
    const events: Uint8Array[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === CR) continue;
      if (byte !== LF) this.#lineIsEmpty = false;
      else if (!this.#lineIsEmpty) this.#lineIsEmpty = true;
      else {
        events.push(join([...this.#rest, chunk.subarray(start, at + 1)]));
        this.#rest = [];
        start = at + 1;
      }
    }
    if (start < chunk.length) this.#rest.push(chunk.slice(start));
    return events;
  }

  /** What is left, if anything is: an event that was never completed. */
  end(): Uint8Array | undefined {
    return this.#rest.length === 0 ? undefined : join(this.#rest.splice(0));
  }
}

/** Cuts a stream of bytes into whole events. */
export async function* splitEvents(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const splitter = new EventSplitter();
  for await (const chunk of source) yield* splitter.push(chunk);
  const rest = splitter.end();
  if (rest !== undefined) yield rest;
}

/** Chunks as one. */
export function join(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
