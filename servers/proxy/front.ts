/** A command over streamable HTTP, on loopback: each session has a server of its own, all behind one injector. */
import { JsonLines } from "../../core/mod.ts";
import { HttpFront, type HttpTransport } from "../http/mod.ts";
import { isFields } from "../jsonrpc.ts";
import { TERM_GRACE_MS } from "./group.ts";
import { Injection } from "./injection.ts";
import { listening } from "./listening.ts";
import type { ProxyOptions } from "./options.ts";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "./sdk.ts";

const GONE = -32000;

/**
 * Serves until the signal aborts.
 *
 * @param port Where to listen; 0 takes a free one.
 * @returns The exit code.
 * @throws {ProxyUsageError} If something that is asked for cannot be had.
 */
export async function runFront(options: ProxyOptions, port: number): Promise<number> {
  const { name, signal, say } = options;
  await using injection = await Injection.open(options, (own) => own.start());
  await using front = listening(
    port,
    () => new HttpFront({ port, connect: (transport) => new Session(injection, transport, say).begin() }),
  );
  say(`${name} at ${front.url}`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  injection.signal("SIGTERM");
  const kill = setTimeout(() => injection.signal("SIGKILL"), TERM_GRACE_MS);
  await injection.link.close();
  clearTimeout(kill);
  return 0;
}

/** One client's session: an SDK transport on one side, lines through the link on the other. */
class Session {
  readonly #transport: HttpTransport;
  readonly #injection: Injection;
  readonly #say: (line: string) => void;
  /** The client's requests that have no answer: progress tokens by id, where they have one. */
  readonly #asked = new Map<string | number, unknown>();
  #lines: JsonLines | undefined;
  #why = "the server has ended";

  constructor(injection: Injection, transport: HttpTransport, say: (line: string) => void) {
    this.#injection = injection;
    this.#transport = transport;
    this.#say = say;
  }

  async begin(): Promise<void> {
    this.#transport.onmessage = (message) => this.#fromClient(message);
    this.#transport.onclose = () => void this.#lines?.close();
    try {
      this.#lines = new JsonLines(await this.#injection.link.open());
    } catch (error) {
      this.#why = error instanceof Error ? error.message : String(error);
      this.#say(`no connection: ${this.#why}`);
    }
    if (this.#lines !== undefined) {
      this.#lines.onmessage = (message) => this.#fromServer(message);
      this.#lines.onbadline = ({ why }) => this.#say(`a line of the server's cannot be sent over HTTP: ${why}`);
      this.#lines.onclose = () => {
        this.#lines = undefined;
        for (const id of this.#asked.keys()) this.#lost(id);
      };
      await this.#lines.start();
    }
    await this.#transport.start();
  }

  #fromClient(message: JSONRPCMessage): void {
    const isRequest = "method" in message && "id" in message;
    if (isRequest) this.#asked.set(message.id, message.params?._meta?.progressToken);
    const lost = () => {
      if (isRequest) this.#lost(message.id);
    };
    if (this.#lines === undefined) return lost();
    this.#lines.send(message).catch(lost);
  }

  /** A client of HTTP would wait for an answer that a client of stdio knows it will not get. */
  #lost(id: string | number): void {
    if (this.#asked.has(id)) this.#answer({ jsonrpc: "2.0", id, error: { code: GONE, message: this.#why } });
  }

  #fromServer(message: unknown): void {
    const parsed = JSONRPCMessageSchema.safeParse(message);
    if (parsed.success) return this.#answer(parsed.data);
    // A transport can send nothing else: over HTTP, such a reply is one that never comes.
    this.#say("a message of the server's is none of JSON-RPC, and cannot be sent over HTTP");
  }

  #answer(message: JSONRPCMessage): void {
    const related = "method" in message ? this.#related(message) : undefined;
    if (!("method" in message) && message.id !== undefined) this.#asked.delete(message.id);
    this.#transport.send(message, related === undefined ? {} : { relatedRequestId: related }).catch((error) =>
      this.#say(`a message was lost: ${error instanceof Error ? error.message : error}`)
    );
  }

  /** On whose stream a message belongs that answers nothing: stdio does not say. */
  #related(message: JSONRPCMessage): string | number | undefined {
    const params = "params" in message ? message.params : undefined;
    const token = isFields(params) ? params.progressToken : undefined;
    const ids = [...this.#asked];
    if (token !== undefined) return ids.find(([, own]) => own === token)?.[0];
    return ids.length === 1 ? ids[0]?.[0] : undefined;
  }
}
