import { AsyncLocalStorage } from "node:async_hooks";
import { type ByteConnection, memoryPair } from "../../core/mod.ts";
import { ConnectionRefusedError } from "../injector.ts";
import { isFields } from "../jsonrpc.ts";
import type { Forward } from "./forward.ts";
import { HttpSession } from "./http_session.ts";
import type { Injection } from "./injection.ts";
import { lost } from "./outlet.ts";

/** Where the link's far end is left for whoever opens it. */
interface Opening {
  far?: ByteConnection;
}

/** The sessions of an HTTP server, each behind the one injector. */
export class HttpMessages {
  readonly #forward: Forward;
  readonly #opening = new AsyncLocalStorage<Opening>();
  readonly #sessions = new Map<string, HttpSession>();
  /** For a server that keeps no sessions: the one of all requests. */
  #nameless: Promise<HttpSession> | undefined;
  #injection: Injection | undefined;

  /**
   * Begins without a session.
   *
   * @param forward Asks the server.
   */
  constructor(forward: Forward) {
    this.#forward = forward;
  }

  /** What the link connects to. */
  far(): ByteConnection {
    const [near, far] = memoryPair();
    const opening = this.#opening.getStore();
    if (opening !== undefined) opening.far = far;
    return near;
  }

  /** Sets whose link it is. */
  use(injection: Injection): Injection {
    this.#injection = injection;
    return injection;
  }

  /** Ends every session. */
  end(): void {
    for (const session of this.#sessions.values()) session.close();
    void this.#nameless?.then((session) => session.close(), () => {});
  }

  /** Answers a client. */
  async handle(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    try {
      switch (request.method) {
        case "POST":
          return await this.#post(request, id);
        case "GET":
          return await (await this.#sessionOf(id)).listen(request);
        case "DELETE": {
          const response = await this.#forward(request);
          if (response.ok && id !== null) this.#sessions.get(id)?.close();
          return response;
        }
        default:
          return await this.#forward(request);
      }
    } catch (error) {
      if (error instanceof ConnectionRefusedError) return lost(error.message);
      throw error;
    }
  }

  async #post(request: Request, id: string | null): Promise<Response> {
    const text = await request.text();
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // The server shall say so itself.
    }
    // A batch is no line of stdio: it passes as it is.
    if (!isFields(message)) return await this.#forward(request, text);
    if (message.method !== "initialize") return await (await this.#sessionOf(id)).post(request, message, text);
    const session = await this.#open();
    const response = await session.post(request, message, text);
    const name = response.headers.get("mcp-session-id");
    if (name !== null) this.#keep(name, session);
    else this.#nameless ??= Promise.resolve(session);
    return response;
  }

  async #sessionOf(id: string | null): Promise<HttpSession> {
    if (id === null) {
      return await (this.#nameless ??= this.#open().catch((error) => {
        this.#nameless = undefined;
        throw error;
      }));
    }
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    // Ended by a fault, or older than this proxy.
    const session = await this.#open();
    this.#keep(id, session);
    return session;
  }

  #keep(id: string, session: HttpSession): void {
    this.#sessions.set(id, session);
    void session.ended.then(() => {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    });
  }

  async #open(): Promise<HttpSession> {
    const opening: Opening = {};
    const hub = await this.#opening.run(opening, () => this.#injection?.link.open());
    if (hub === undefined || opening.far === undefined) throw new Error("the proxy has no link");
    const session = new HttpSession(this.#forward, hub, opening.far);
    void session.ended.then(async () => {
      if (await this.#nameless?.catch(() => undefined) === session) this.#nameless = undefined;
    });
    return session;
  }
}
