/** An HTTP server behind the injector: requests and answers pass as they are, but for the messages that faults change. */
import { HttpMessages } from "./http_messages.ts";
import { strangerReason } from "../http/loopback_guard.ts";
import { Injection } from "./injection.ts";
import { listening } from "./listening.ts";
import type { ProxyOptions } from "./options.ts";
import { type Forward, forwarder } from "./forward.ts";

/**
 * Serves until the signal aborts.
 *
 * @param port Where to listen; 0 takes a free one.
 * @param idle Whether there is nothing to inject and nothing to record.
 * @returns The exit code.
 * @throws {ProxyUsageError} If something that is asked for cannot be had.
 */
export async function runReverse(
  options: ProxyOptions & { upstream: string },
  port: number,
  idle: boolean,
): Promise<number> {
  const { name, signal, say } = options;
  const url = new URL(options.upstream);
  const over = new AbortController();
  const forward = forwarder(url, over.signal);
  const messages = idle ? undefined : new HttpMessages(forward);
  await using _injection = messages === undefined
    ? undefined
    : await Injection.open(options, () => messages.far()).then((injection) => messages.use(injection));
  const own: Forward = (request) => messages === undefined ? forward(request) : messages.handle(request);
  const server = listening(
    port,
    () =>
      Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, async (request) => {
        const why = strangerReason(request.headers, server.addr.port);
        if (why !== undefined) return refusal(403, `Forbidden: ${why}`);
        if (new URL(request.url).pathname !== url.pathname) {
          return refusal(404, `Not found: the endpoint is ${url.pathname}`);
        }
        try {
          return await own(request);
        } catch (error) {
          return refusal(502, error instanceof Error ? error.message : String(error));
        }
      }),
  );
  say(`${name} at http://127.0.0.1:${server.addr.port}${url.pathname}`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  over.abort();
  messages?.end();
  await server.shutdown();
  return 0;
}

function refusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status });
}
