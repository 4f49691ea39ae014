import {
  type ByteConnection,
  type ByteReader,
  ClosedError,
  encodeLine,
  LineSplitter,
  oneLine,
} from "../../core/mod.ts";
import { isFields, isReply, isRequest } from "../jsonrpc.ts";
import { type JSONRPCMessage, JSONRPCMessageSchema, StreamableHTTPClientTransport } from "./sdk.ts";

/** What an answer says of a server that could not be asked. */
const UNREACHABLE = -32000;

/**
 * A streamable HTTP server as a connection of lines: for clients of stdio, and for the injector, which knows nothing of
 * HTTP. The session, its version and its stream of events are the SDK's affair.
 */
export class UpstreamConnection implements ByteConnection {
  readonly #transport: StreamableHTTPClientTransport;
  readonly #say: (line: string) => void;
  readonly #splitter: LineSplitter;
  /** Requests that have not been answered, and whether one of them began the session. */
  readonly #asked = new Map<unknown, { readonly begins: boolean }>();
  #reader: ByteReader | undefined;
  #sent: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /**
   * Connects to nothing yet.
   *
   * @param url The server's endpoint.
   * @param say Told what went wrong that no answer can tell.
   */
  constructor(url: URL, say: (line: string) => void) {
    this.#say = say;
    this.#transport = new StreamableHTTPClientTransport(url);
    this.#splitter = new LineSplitter({ line: (text) => this.#line(text), overlong: () => say("a line was too long") });
    this.#transport.onmessage = (message) => this.#receive(message);
    this.#transport.onerror = (error) => {
      if (this.#closing === undefined) say(`upstream: ${oneLine(error.message)}`);
    };
  }

  /** Begins to deliver what the server says. */
  open(reader: ByteReader): void {
    this.#reader = reader;
    this.#transport.start().catch((error) => this.#say(String(error)));
  }

  /**
   * Sends lines.
   *
   * @throws {ClosedError} If it is closed.
   */
  write(chunk: Uint8Array): void {
    if (this.#closing !== undefined) throw new ClosedError();
    this.#splitter.push(chunk);
  }

  /** Ends the session; answers that are still to come are lost. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    await this.#sent;
    // Some servers keep no sessions.
    await this.#transport.terminateSession().catch(() => {});
    await this.#transport.close();
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.closed();
  }

  #line(text: string): void {
    let parsed;
    try {
      parsed = JSONRPCMessageSchema.safeParse(JSON.parse(text));
    } catch {
      // Told below.
    }
    if (!parsed?.success) {
      if (text.trim() !== "") this.#say("a line that is no message of JSON-RPC cannot be sent over HTTP");
      return;
    }
    const message = parsed.data;
    const send = () => this.#send(message);
    if (!isFields(message) || !isRequest(message)) {
      // A request that was made after it must not overtake it.
      this.#sent = this.#sent.then(send);
      return;
    }
    this.#asked.set(message.id, { begins: message.method === "initialize" });
    void this.#sent.then(send);
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#transport.send(message);
    } catch (error) {
      const why = `upstream: ${oneLine(error instanceof Error ? error.message : String(error))}`;
      if (!("method" in message && "id" in message)) return this.#say(why);
      if (this.#asked.has(message.id)) {
        this.#receive({ jsonrpc: "2.0", id: message.id, error: { code: UNREACHABLE, message: why } });
      }
    }
  }

  #receive(message: JSONRPCMessage): void {
    if (isFields(message) && isReply(message)) {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      const { result } = message;
      const version = asked?.begins && isFields(result) ? result.protocolVersion : undefined;
      if (typeof version === "string") this.#transport.setProtocolVersion(version);
    }
    this.#reader?.bytes(encodeLine(message));
  }
}
