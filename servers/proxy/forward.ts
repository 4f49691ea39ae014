/** Hands a request on to where it is meant to go. */
export type Forward = (request: Request, body?: string) => Promise<Response>;

/** Headers that belong to one hop, and what `fetch` sets by itself. */
const OF_THE_HOP = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "proxy-connection",
  "host",
  "content-length",
  // The browser's page speaks to us: to the server we are no page.
  "origin",
];

/**
 * Makes a {@linkcode Forward} to one endpoint. Method, query, headers and bodies pass as they are, both ways, as they come.
 *
 * @param url The endpoint.
 * @param over Lets go of everything.
 */
export function forwarder(url: URL, over: AbortSignal): Forward {
  return async (request, body) => {
    const headers = without(request.headers);
    // What comes back compressed would be unpacked on the way, and its length a lie.
    headers.set("accept-encoding", "identity");
    const target = new URL(url);
    const { search } = new URL(request.url);
    if (search !== "") target.search = search;
    const response = await fetch(target, {
      method: request.method,
      headers,
      body: body ?? request.body,
      redirect: "manual",
      signal: AbortSignal.any([over, request.signal]),
    });
    const answered = without(response.headers);
    answered.delete("content-encoding");
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers: answered });
  };
}

function without(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of OF_THE_HOP) kept.delete(name);
  return kept;
}
