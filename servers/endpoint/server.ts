/**
 * An HTTP server on the loopback interface. Of `node:http`, and not of `Deno.serve`: that one does not tell when a caller
 * leaves whose request had a body of more than some 300 bytes (2.9.6), and a bench of hanging calls must know.
 */
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { untilAborted } from "../../core/mod.ts";

/** A request. */
export interface Incoming {
  readonly method: string;
  /** Path, without a query. */
  readonly path: string;
  /** The host by which the caller knows this server, without a port. */
  readonly hostname: string;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the caller leaves, or the server closes, before the answer is whole. */
  readonly signal: AbortSignal;
}

/** A body that is sent as it comes. Whatever its chunks throw resets the connection. */
export interface SlowBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Told of each chunk before it goes out. */
  passed(chunk: Uint8Array): void;
  /** Told once when it is over, with what broke it, if it was broken. */
  ended(broken?: { readonly error: unknown }): void;
}

/** What a request is answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | SlowBody;
}

/** A server that listens. */
export interface LoopbackServer {
  readonly port: number;
  /** Stops listening, aborts every request, and waits until all connections are closed. */
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1.
 *
 * @param port 0 takes a free one.
 * @param answer Never throws.
 * @throws {Error} If the port is taken.
 */
export async function serveLoopback(
  port: number,
  answer: (request: Incoming) => Promise<Answer>,
): Promise<LoopbackServer> {
  const open = new Map<AbortController, Promise<void>>();
  const server = createServer((request, response) => {
    const life = new AbortController();
    // A caller who leaves breaks what is being sent; there is nobody to tell.
    for (const stream of [request, response]) stream.on("error", () => {});
    response.on("close", () => life.abort(new DOMException("the caller went away", "AbortError")));
    const exchange = respond(request, response, life.signal, answer).finally(() => open.delete(life));
    open.set(life, exchange);
  });
  // Longer than clients keep theirs, so that a connection is never closed under a new request.
  server.keepAliveTimeout = 120_000;
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server on a port has an address");
  return {
    port: address.port,
    async close() {
      for (const life of open.keys()) life.abort(new DOMException("the endpoint is closing", "AbortError"));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(open.values());
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  answer: (request: Incoming) => Promise<Answer>,
): Promise<void> {
  const { status, headers, body } = await answer(read(request, signal));
  if (response.destroyed) {
    if (typeof body !== "string") body.ended({ error: signal.reason });
    return;
  }
  if (typeof body === "string") {
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...headers, "content-length": bytes.length });
    response.end(bytes);
    return;
  }
  response.writeHead(status, { ...headers });
  response.flushHeaders();
  try {
    for await (const chunk of body.chunks) {
      if (chunk.length === 0) continue;
      body.passed(chunk);
      // Out before the next one is asked for: whoever cuts the connection cuts it after this byte.
      await untilAborted(new Promise<void>((resolve) => response.write(chunk, () => resolve())), signal);
    }
    body.ended();
    response.end();
  } catch (error) {
    body.ended({ error });
    response.destroy();
  }
}

function read(request: IncomingMessage, signal: AbortSignal): Incoming {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  return {
    method: request.method ?? "GET",
    path: (request.url ?? "/").split("?", 1)[0] ?? "/",
    hostname: (request.headers.host ?? "").replace(/:\d+$/, ""),
    headers,
    body: request,
    signal,
  };
}
