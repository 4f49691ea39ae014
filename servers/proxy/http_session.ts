import { type ByteConnection, LineSplitter } from "../../core/mod.ts";
import { type Fields, isFields, isReply, isRequest, type RpcId } from "../jsonrpc.ts";
import type { Forward } from "./forward.ts";
import { JsonOutlet, lost, type Outlet, SseOutlet } from "./outlet.ts";
import { type SseEvent, SseSplitter } from "./sse.ts";

/** A request of the client's that has no answer yet. */
interface Post {
  readonly request: Request;
  readonly answer: (response: Response) => void;
  /** Where its answer goes, once the server has begun to answer. */
  outlet?: Outlet;
  /** The server has been asked. */
  sent: boolean;
}

/** A message of the server's that the link has been given, and has not handed on. */
interface Fed {
  readonly text: string;
  readonly outlet: Outlet;
  readonly event: SseEvent | undefined;
  /** The request that it answers. */
  readonly id: RpcId | undefined;
}

/**
 * One MCP session over HTTP: the messages in its bodies go through a link, one line each, and come out into the answer in
 * which the server sent them.
 */
export class HttpSession {
  /** Resolves when the link has ended the session. */
  readonly ended: Promise<void>;
  readonly #forward: Forward;
  readonly #hub: ByteConnection;
  readonly #far: ByteConnection;
  readonly #posts = new Map<RpcId, Post>();
  /** What asks for no answer, and waits to come out of the link. */
  readonly #notes: { readonly text: string; readonly pass: () => void }[] = [];
  readonly #outlets = new Set<Outlet>();
  /** Answers that the server has ended. */
  readonly #over = new WeakSet<Outlet>();
  #fed: Fed[] = [];
  #isClosing = false;
  #listening: SseOutlet | undefined;
  /** As the last message was sent: with its headers, a fault sends its own, and what it has held back. */
  #like: Request | undefined;

  /**
   * Takes charge of both ends of a link.
   *
   * @param forward Asks the server.
   * @param hub The client's end of a link.
   * @param far What the link takes for the server.
   */
  constructor(forward: Forward, hub: ByteConnection, far: ByteConnection) {
    this.#forward = forward;
    this.#hub = hub;
    this.#far = far;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const read = (connection: ByteConnection, line: (text: string) => void, closed: () => void) => {
      const splitter = new LineSplitter({ line, overlong: () => {}, truncated: line });
      connection.open({
        bytes: (chunk) => splitter.push(chunk),
        closed: () => {
          splitter.end();
          closed();
        },
      });
    };
    read(hub, (text) => this.#toClient(text), () => {
      for (const { outlet, answer } of this.#posts.values()) if (outlet === undefined) answer(lost());
      for (const outlet of this.#outlets) {
        if (this.#isClosing) outlet.close();
        else outlet.cut();
      }
      resolve();
    });
    read(far, (text) => this.#toServer(text), () => {});
  }

  /** Hands on a message of the client's, and resolves with the answer. */
  post(request: Request, message: Fields, text: string): Promise<Response> {
    // A copy, because a request's signal aborts when it has been answered, and what is sent then would be called back.
    this.#like = new Request(request.url, { method: "POST", headers: request.headers });
    const line = /[\r\n]/.test(text) ? JSON.stringify(message) : text;
    return new Promise((answer) => {
      if (isRequest(message)) this.#posts.set(message.id, { request, answer, sent: false });
      else {
        const pass = () => void this.#forward(request, line).then(answer, (error) => answer(lost(String(error))));
        const note = { text: line, pass };
        this.#notes.push(note);
        // What a fault holds back, or keeps for itself, has been accepted all the same. What has passed is the server's to
        // answer: an answer of ours would end the request, and call it back while it is still on its way.
        setTimeout(() => {
          const at = this.#notes.indexOf(note);
          if (at < 0) return;
          this.#notes.splice(at, 1);
          answer(new Response(null, { status: 202 }));
        }, 0);
      }
      send(this.#hub, line);
    });
  }

  /** Opens the stream of what the server says by itself. */
  async listen(request: Request): Promise<Response> {
    const response = await this.#forward(request);
    if (!isStream(response)) return response;
    const outlet = this.#listening = new SseOutlet(response);
    void this.#carry(response, outlet);
    return outlet.response;
  }

  /** Ends it from the client's side. */
  close(): void {
    this.#isClosing = true;
    void this.#hub.close();
  }

  #toServer(text: string): void {
    const message = parse(text);
    const post = message !== undefined && isRequest(message) ? this.#posts.get(message.id) : undefined;
    if (post !== undefined && !post.sent) {
      post.sent = true;
      void this.#ask(post, text);
      return;
    }
    const at = this.#notes.findIndex((note) => note.text === text);
    const [note] = at < 0 ? [] : this.#notes.splice(at, 1);
    if (note !== undefined) return note.pass();
    // A fault asks for itself, or lets go of what it held.
    if (this.#like !== undefined) void this.#ask({ request: this.#like, answer: () => {}, sent: true }, text);
  }

  async #ask(post: Post, text: string): Promise<void> {
    try {
      const response = await this.#forward(post.request, text);
      if (isStream(response)) {
        const outlet = post.outlet = new SseOutlet(response);
        post.answer(outlet.response);
        await this.#carry(response, outlet);
      } else if (response.ok && response.headers.get("content-type")?.startsWith("application/json")) {
        const outlet = post.outlet = new JsonOutlet(post.answer, response);
        this.#outlets.add(outlet);
        this.#feed(await response.text(), outlet, undefined);
      } else post.answer(response);
    } catch (error) {
      post.answer(lost(error instanceof Error ? error.message : String(error)));
    }
  }

  /** Takes a stream of events apart, until it ends. */
  async #carry(response: Response, outlet: SseOutlet): Promise<void> {
    this.#outlets.add(outlet);
    const events = new SseSplitter();
    try {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        for (const event of events.push(piece)) {
          if (event.data === undefined) outlet.raw(event.raw);
          else this.#feed(event.data, outlet, event);
        }
      }
      outlet.raw(events.rest);
    } catch {
      // Either the server has broken off, or the client has gone.
      return outlet.cut();
    } finally {
      this.#outlets.delete(outlet);
    }
    this.#outlets.add(outlet);
    this.#closeIfDone(outlet, true);
  }

  /** A stream ends with the server's, but not before what the link still holds has come. */
  #closeIfDone(outlet: Outlet, over = this.#over.has(outlet)): void {
    if (!over) return;
    this.#over.add(outlet);
    if (this.#fed.some((fed) => fed.outlet === outlet)) return;
    outlet.close();
    this.#outlets.delete(outlet);
  }

  #feed(text: string, outlet: Outlet, event: SseEvent | undefined): void {
    const message = parse(text);
    const line = /[\r\n]/.test(text) ? JSON.stringify(message ?? text) : text;
    const id = message !== undefined && isReply(message) ? message.id : undefined;
    this.#fed.push({ text: line, outlet, event, id });
    send(this.#far, line);
  }

  #toClient(text: string): void {
    const message = parse(text);
    const id = message !== undefined && isReply(message) ? message.id : undefined;
    const same = this.#fed.find((fed) => fed.text === text);
    const fed = same ?? (id === undefined ? undefined : this.#fed.find((one) => one.id === id));
    const post = id === undefined ? undefined : this.#posts.get(id);
    const outlet = fed?.outlet ?? post?.outlet ??
      (post === undefined ? this.#anyOutlet() : new JsonOutlet(post.answer));
    outlet?.message(text, fed?.event);
    if (id !== undefined) this.#posts.delete(id);
    if (fed === undefined) return;
    // What came before it in the same answer has been dropped.
    const at = this.#fed.indexOf(fed);
    const answered = fed.id !== undefined;
    this.#fed = this.#fed.filter((one, i) => one !== fed && !(answered && i < at && one.outlet === fed.outlet));
    this.#closeIfDone(fed.outlet);
  }

  /** Where a message goes that belongs to nothing: beside what is on its way, or on the server's own stream. */
  #anyOutlet(): Outlet | undefined {
    if (this.#fed[0] !== undefined) return this.#fed[0].outlet;
    return this.#listening?.isOpen ? this.#listening : [...this.#outlets].at(-1);
  }
}

function isStream(response: Response): boolean {
  return response.ok && (response.headers.get("content-type")?.startsWith("text/event-stream") ?? false);
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function send(connection: ByteConnection, line: string): void {
  try {
    void connection.write(new TextEncoder().encode(`${line}\n`));
  } catch {
    // The link is closed, of which its reader has been told.
  }
}
