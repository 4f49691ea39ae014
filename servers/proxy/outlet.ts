import { messageEvent, type SseEvent, withData } from "./sse.ts";

const ENCODER = new TextEncoder();

/** Where messages to the client go: one answer, or one stream of events. */
export interface Outlet {
  /** Takes a message; `event` is what the server sent it, or something else in its place, as. */
  message(text: string, event: SseEvent | undefined): void;
  /** Nothing more will come; harmless when called again. */
  close(): void;
  /** Breaks off in the middle. */
  cut(): void;
}

/** An answer that is one JSON text: the first message is all of it. */
export class JsonOutlet implements Outlet {
  /**
   * Makes an answer that is still to come.
   *
   * @param answer Takes it.
   * @param like The server's own answer, whose status and headers it has.
   */
  constructor(private readonly answer: (response: Response) => void, private readonly like?: Response) {}

  message(text: string): void {
    const headers = new Headers(this.like?.headers);
    headers.set("content-type", "application/json");
    this.answer(new Response(text, { status: this.like?.status ?? 200, headers }));
  }

  close(): void {}

  cut(): void {
    this.answer(lost());
  }
}

/** An answer that is a stream of events. */
export class SseOutlet implements Outlet {
  /** What the client is given. */
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /**
   * Begins a stream.
   *
   * @param like The server's answer, whose status and headers it has.
   */
  constructor(like: Response) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      cancel: () => void (this.#controller = undefined),
    });
    this.response = new Response(body, { status: like.status, headers: like.headers });
  }

  /** Whether anybody can still be told anything. */
  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  message(text: string, event: SseEvent | undefined): void {
    if (event === undefined) this.raw(messageEvent(text));
    else this.raw(event.data === text ? event.raw : withData(event, text));
  }

  /** Takes the text of an event as it is. */
  raw(text: string): void {
    this.#controller?.enqueue(ENCODER.encode(text));
  }

  close(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  cut(): void {
    this.#controller?.error("proxy: a stream of events has been cut");
    this.#controller = undefined;
  }
}

/** What a gateway says when the server behind it has gone. */
export function lost(message = "the connection to the server was lost"): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status: 502 });
}
