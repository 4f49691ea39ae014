/**
 * The hub's transport: JSON lines to the SDK's client, with an answer for each way in which a reply can be broken.
 *
 * The SDK drops a frame that its schema does not accept, and its caller waits out the whole timeout. Here such a frame
 * ends its own call at once, with an error that {@linkcode isMalformed} recognises. Which call that is must be certain:
 * by its id, or because only one can be meant. A wrong guess would cost a healthy call its answer, and none costs no
 * more than the SDK does.
 */
import { type ByteConnection, encodeLine, LineSplitter } from "../../core/mod.ts";
import {
  claimsReply,
  type Frame,
  idInLine,
  isFrame,
  isMessage,
  parseLine,
  requestId,
  soundsLikeReply,
} from "./reply.ts";
import type { JSONRPCMessage, Transport } from "./sdk.ts";

/** JSON-RPC's "parse error", which no server of ours sends for a reply of its own. */
const MALFORMED_CODE = -32700;
const MARK = "brownout/malformed";

/** How much of a bad line is told, in characters. */
const HEAD = 200;

/** How many requests are remembered that were called off and not answered. */
const MAX_CALLED_OFF = 1000;

/** The mark of a call in its request's `_meta`, which some servers give back in their result's. */
export const NONCE = "brownout/nonce";

/** A transport for the SDK's client over any byte connection. */
export class HubTransport implements Transport {
  /** Set by the SDK. */
  onmessage?: Transport["onmessage"];
  /** Set by the SDK. */
  onerror?: Transport["onerror"];
  /** Set by the SDK. */
  onclose?: Transport["onclose"];
  /** Told of each notification of the server's. The SDK hears only of those that it acts on. */
  onnotification?: (method: string, params: Frame) => void;
  /** Told once, when no more messages can come. */
  onended?: () => void;
  readonly #connection: ByteConnection;
  #hasForgotten = false;
  #isClosing = false;
  #hasEnded = false;
  /** Requests that wait for their reply: the mark of each by its id. */
  readonly #waiting = new Map<number, unknown>();
  /** Requests that were called off and not answered: a reply may still come, and nobody wants it. */
  readonly #calledOff = new Map<number, unknown>();
  /** Marks of all of these. */
  readonly #marks = new Set<unknown>();
  #open = true;

  /** @param connection The bytes to the server. */
  constructor(connection: ByteConnection) {
    this.#connection = connection;
  }

  /** Whether messages can still come and go. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Whether no reply is due any more, wanted or not. */
  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#calledOff.size === 0 && !this.#hasForgotten;
  }

  /** A mark that no request has which may still be answered. */
  freshMark(wanted: string): string {
    let mark = wanted;
    for (let n = 2; this.#marks.has(mark); n++) mark = `${wanted}~${n}`;
    return mark;
  }

  /** Called by the SDK. */
  start(): Promise<void> {
    const lines = new LineSplitter({
      line: (text) => this.#guarded(() => this.#line(text)),
      overlong: () => this.#guarded(() => this.#blame("a line that is too long", undefined)),
      // The last thing before the close, which says more exactly what happened.
      truncated: (text) => this.#ignore(text),
    });
    this.#connection.open({
      bytes: (chunk) => lines.push(chunk),
      closed: () => {
        // What we cut off ourselves is not the server's fault.
        if (!this.#isClosing) lines.end();
        this.#ended();
      },
    });
    return Promise.resolve();
  }

  /** Called by the SDK. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) {
      if ("id" in message) this.#sent(Number(message.id), message.params?._meta?.[NONCE]);
      else if (message.method === "notifications/cancelled") this.#callOff(Number(message.params?.["requestId"]));
    }
    try {
      await this.#connection.write(encodeLine(message));
    } catch (error) {
      this.onerror?.(asError(error));
      throw error;
    }
  }

  /** Closes the connection below. Never rejects: the SDK closes without waiting for it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#open = false;
    try {
      await this.#connection.close();
      this.#ended();
    } catch (error) {
      this.onerror?.(asError(error));
    }
  }

  #ended(): void {
    this.#open = false;
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.onclose?.();
    this.onended?.();
  }

  /** One message that the SDK chokes on must not cost the others. */
  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.onerror?.(asError(error));
    }
  }

  #line(text: string): void {
    if (text.trim() === "") return;
    const values = parseLine(text);
    if (values?.length === 1) return this.#deliver(values[0]);
    const frames = values?.filter(isFrame).filter(claimsReply) ?? [];
    for (const frame of frames) this.#blame("its line is not its own", requestId(frame["id"]));
    if (frames.length > 0) return;
    if (values === undefined && soundsLikeReply(text)) this.#blame(`not JSON: ${text.slice(0, HEAD)}`, idInLine(text));
    else this.#ignore(text);
  }

  #sent(id: number, mark: unknown): void {
    this.#waiting.set(id, mark);
    if (mark !== undefined) this.#marks.add(mark);
  }

  #callOff(id: number): void {
    if (!this.#waiting.has(id)) return;
    this.#calledOff.set(id, this.#waiting.get(id));
    this.#waiting.delete(id);
    const [oldest] = this.#calledOff.keys();
    if (this.#calledOff.size <= MAX_CALLED_OFF || oldest === undefined) return;
    // A server that answers nothing would fill the memory. What is forgotten may still be answered.
    this.#answered(oldest);
    this.#hasForgotten = true;
  }

  #deliver(message: unknown): void {
    if (Array.isArray(message)) {
      for (const one of message) this.#deliver(one);
    } else if (isMessage(message)) {
      if (!("method" in message)) return this.#reply(message);
      if ("id" in message || message.method === "notifications/cancelled") return this.onmessage?.(message);
      this.onnotification?.(message.method, message.params ?? {});
    } else if (isFrame(message) && claimsReply(message)) {
      this.#blame(JSON.stringify(message).slice(0, HEAD), requestId(message["id"]));
    } else this.#ignore(JSON.stringify(message));
  }

  /**
   * A result that bears the mark of another call than its id says is that one's, or nobody's. Servers that give no mark
   * back, and results without one, such as errors are on many servers, cannot be told apart and pass.
   */
  #reply(message: JSONRPCMessage & { id?: unknown }): void {
    const id = requestId(message.id);
    if (id !== undefined && "result" in message) {
      const mark = message.result._meta?.[NONCE];
      const own = this.#waiting.get(id);
      if (mark !== undefined && own !== undefined && mark !== own) return this.#blame("it is another call's", id);
    }
    this.#answered(id);
    this.onmessage?.(message);
  }

  #answered(id: number | undefined): void {
    if (id === undefined) return;
    this.#marks.delete(this.#waiting.get(id) ?? this.#calledOff.get(id));
    this.#waiting.delete(id);
    this.#calledOff.delete(id);
  }

  /** Ends the call that a broken reply was meant for, if that can be told. */
  #blame(what: string, id: number | undefined): void {
    const [only] = this.#waiting.keys();
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
    this.onerror?.(new Error(`a line that answers nothing: ${what.slice(0, HEAD)}`));
  }
}

/** Whether an error is this transport's word for a malformed reply. */
export function isMalformed(error: { code: number; data?: unknown }): boolean {
  return error.code === MALFORMED_CODE && error.data === MARK;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
