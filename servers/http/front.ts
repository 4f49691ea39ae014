/** MCP over streamable HTTP, on loopback: for whatever can connect a server to an SDK transport. */
import { ClosedError, untilAborted } from "../../core/mod.ts";
import { WebStandardStreamableHTTPServerTransport } from "../sdk_http.ts";
import { MemoryEventStore } from "./event_store.ts";
import { strangerReason } from "./loopback_guard.ts";

/** Where the endpoint is. */
const PATH = "/mcp";
const HOST = "127.0.0.1";

/** One session's transport, as the SDK has it. */
export type HttpTransport = WebStandardStreamableHTTPServerTransport;

/** Options of {@linkcode HttpFront}. */
export interface HttpFrontOptions {
  /** Connects a server of its own to a new session. */
  connect(transport: HttpTransport): Promise<void>;
  /**
   * The port to listen on; 0 takes a free one.
   *
   * @default 0
   */
  port?: number;
  /**
   * Whether answers are plain JSON rather than a stream of events. Then a server can send nothing but its answers.
   *
   * @default false
   */
  json?: boolean;
  /**
   * Given, streams can be resumed: events have ids, and clients are told to wait so many milliseconds before they come
   * back.
   */
  retryMs?: number;
  /**
   * How many sessions there can be. One more is refused with 503: a client that never ends its sessions shall notice.
   *
   * @default 256
   */
  maxSessions?: number;
}

/** A listening endpoint. Its sessions end with it. */
export class HttpFront implements AsyncDisposable {
  /** Where clients connect, such as `http://127.0.0.1:8080/mcp`. */
  readonly url: string;
  readonly #options: HttpFrontOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #sessions = new Map<string, HttpTransport>();
  readonly #over = new AbortController();

  /**
   * Begins to listen.
   *
   * @throws {Deno.errors.AddrInUse} If the port is taken.
   * @throws {Deno.errors.NotCapable} Without `--allow-net=127.0.0.1`.
   */
  constructor(options: HttpFrontOptions) {
    this.#options = options;
    this.#server = Deno.serve(
      { hostname: HOST, port: options.port ?? 0, onListen: () => {} },
      (request) => this.#handle(request),
    );
    this.url = `http://${HOST}:${this.#server.addr.port}${PATH}`;
  }

  /** How many sessions are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Ends every session, lets go of every request, and stops listening. */
  async close(): Promise<void> {
    this.#over.abort(new ClosedError("the server is closing"));
    await Promise.all([...this.#sessions.values()].map((transport) => transport.close()));
    this.#sessions.clear();
    await this.#server.shutdown();
  }

  /** See {@linkcode HttpFront.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #handle(request: Request): Promise<Response> {
    const why = strangerReason(request.headers, this.#server.addr.port);
    if (why !== undefined) return refusal(403, -32000, `Forbidden: ${why}`);
    if (this.#over.signal.aborted) return refusal(503, -32000, "The server is closing");
    if (new URL(request.url).pathname !== PATH) return refusal(404, -32000, `Not found: the endpoint is ${PATH}`);
    const id = request.headers.get("mcp-session-id");
    const transport = id === null ? await this.#begin() : this.#sessions.get(id);
    if (transport === undefined) {
      return id === null
        ? refusal(503, -32000, `Too many sessions: ${this.#sessions.size}`)
        : refusal(404, -32001, "Session not found");
    }
    try {
      // A tool that never answers must not keep the server from closing.
      return await untilAborted(transport.handleRequest(request), this.#over.signal);
    } catch (error) {
      if (!this.#over.signal.aborted) throw error;
      return refusal(503, -32000, "The server is closing");
    } finally {
      // Whoever began without `initialize` was refused by the transport, and leaves nothing behind.
      if (id === null && transport.sessionId === undefined) await transport.close();
    }
  }

  async #begin(): Promise<HttpTransport | undefined> {
    const { maxSessions = 256, json = false, retryMs, connect } = this.#options;
    if (this.#sessions.size >= maxSessions) return undefined;
    const transport: HttpTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: async (id) => {
        this.#sessions.set(id, transport);
        // Too late to be ended with the others.
        if (this.#over.signal.aborted) await transport.close();
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
      enableJsonResponse: json,
      ...(retryMs === undefined ? {} : { eventStore: new MemoryEventStore(), retryInterval: retryMs }),
    });
    await connect(transport);
    return transport;
  }
}

/** An error that belongs to no request. */
function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
