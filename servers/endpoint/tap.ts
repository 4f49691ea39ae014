import { decodeEvent, EventSplitter } from "../faults/model/sse.ts";
import { fieldsOf } from "../faults/model/wire.ts";
import type { Api, ReadReply } from "./api.ts";
import { decodeJson } from "./http.ts";

/** Reads a reply's bytes as a correct client would, while they pass. */
export class ReplyTap {
  readonly #api: Api;
  readonly #reader;
  readonly #splitter = new EventSplitter();
  readonly #decoder = new TextDecoder();
  readonly #streamed: boolean;
  #text = "";

  /**
   * @param api The protocol.
   * @param streamed Whether the body is a stream of events.
   */
  constructor(api: Api, streamed: boolean) {
    this.#api = api;
    this.#reader = api.reader();
    this.#streamed = streamed;
  }

  /** Takes bytes that have passed. */
  push(chunk: Uint8Array): void {
    if (!this.#streamed) this.#text += this.#decoder.decode(chunk, { stream: true });
    else for (const event of this.#splitter.push(chunk)) this.#event(event);
  }

  /** Whether the reply has come to its end, where its protocol tells and it matters. */
  get over(): boolean {
    return this.#reader.over === true;
  }

  /** What has been read so far. */
  read(): ReadReply {
    if (this.#streamed) return this.#reader.read();
    const fields = decodeJson(this.#text);
    return fields === undefined
      ? { text: "", calls: [], ...(this.#text !== "" && { error: "the body is not JSON" }) }
      : this.#api.read(fields);
  }

  #event(bytes: Uint8Array): void {
    const fields = fieldsOf(decodeEvent(bytes));
    if (fields !== undefined) this.#reader.push(fields);
  }
}
