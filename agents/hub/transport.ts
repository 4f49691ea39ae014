/**
 * The hub's transport: JSON lines to the SDK's client, with an answer for each way in which a reply can be broken.
 *
 * The SDK drops a frame that its schema does not accept, and its caller waits out the whole timeout. Here such a frame
 * ends its own call at once, with an error that {@linkcode isMalformed} recognises. Which call that is must be certain:
 * by its id, or because only one can be meant. A wrong guess would cost a healthy call its answer, and none costs no
 * more than the SDK does.
 */
import { type ByteConnection, JsonLines } from "../../core/mod.ts";
import { claimsReply, idInLine, isFrame, isMessage, requestId, soundsLikeReply } from "./reply.ts";
import type { JSONRPCMessage, Transport } from "./sdk.ts";

/** JSON-RPC's "parse error", which no server of ours sends for a reply of its own. */
const MALFORMED_CODE = -32700;
const MARK = "brownout/malformed";

/** A transport for the SDK's client over any byte connection. */
export class HubTransport implements Transport {
  /** Set by the SDK. */
  onmessage?: Transport["onmessage"];
  /** Set by the SDK. */
  onerror?: Transport["onerror"];
  /** Set by the SDK. */
  onclose?: Transport["onclose"];
  readonly #lines: JsonLines;
  /** Ids of requests that wait for their reply. */
  readonly #waiting = new Set<number>();
  /** Ids of requests that were called off and not answered: a reply may still come, and nobody wants it. */
  readonly #calledOff = new Set<number>();
  #open = true;

  /** @param connection The bytes to the server. */
  constructor(connection: ByteConnection) {
    this.#lines = new JsonLines(connection);
    this.#lines.onmessage = (message) => this.#deliver(message);
    this.#lines.onbadline = ({ why, head }) => {
      if (why === "overlong") this.#blame("a line that is too long", undefined);
      // A line without an end is the last thing before the close, which says more exactly what happened.
      else if (why === "not_json" && soundsLikeReply(head)) this.#blame(`not JSON: ${head}`, idInLine(head));
      else this.#ignore(head);
    };
    this.#lines.onclose = () => {
      this.#open = false;
      this.onclose?.();
    };
    this.#lines.onerror = (error) => this.onerror?.(error);
  }

  /** Whether messages can still come and go. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Whether no reply is due any more, wanted or not. */
  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#calledOff.size === 0;
  }

  /** Called by the SDK. */
  start(): Promise<void> {
    return this.#lines.start();
  }

  /** Called by the SDK. */
  send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) {
      if ("id" in message) this.#waiting.add(Number(message.id));
      else if (message.method === "notifications/cancelled") this.#callOff(Number(message.params?.["requestId"]));
    }
    return this.#lines.send(message);
  }

  /** Closes the connection below. Never rejects: the SDK closes without waiting for it. */
  async close(): Promise<void> {
    this.#open = false;
    try {
      await this.#lines.close();
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #callOff(id: number): void {
    if (this.#waiting.delete(id)) this.#calledOff.add(id);
  }

  #deliver(message: unknown): void {
    if (Array.isArray(message)) {
      for (const one of message) this.#deliver(one);
    } else if (isMessage(message)) {
      if (!("method" in message)) this.#answered(requestId(message.id));
      this.onmessage?.(message);
    } else if (isFrame(message) && claimsReply(message)) {
      this.#blame(JSON.stringify(message).slice(0, 200), requestId(message["id"]));
    } else this.#ignore(JSON.stringify(message).slice(0, 200));
  }

  #answered(id: number | undefined): void {
    if (id === undefined) return;
    this.#waiting.delete(id);
    this.#calledOff.delete(id);
  }

  /** Ends the call that a broken reply was meant for, if that can be told. */
  #blame(what: string, id: number | undefined): void {
    const [only] = this.#waiting;
    const certain = this.#waiting.size === 1 && this.#calledOff.size === 0;
    const culprit = id === undefined && certain ? only : id;
    if (culprit === undefined || !this.#waiting.has(culprit)) {
      this.#answered(culprit);
      return this.#ignore(what);
    }
    this.#answered(culprit);
    this.onmessage?.({
      jsonrpc: "2.0",
      id: culprit,
      error: { code: MALFORMED_CODE, message: `malformed reply (${what})`, data: MARK },
    });
  }

  #ignore(what: string): void {
    this.onerror?.(new Error(`a line that answers nothing: ${what}`));
  }
}

/** Whether an error is this transport's word for a malformed reply. */
export function isMalformed(error: { code: number; data?: unknown }): boolean {
  return error.code === MALFORMED_CODE && error.data === MARK;
}
