/**
 * Who may talk to a server on loopback. Any web page can make the browser send requests there, and a name that its owner
 * points at 127.0.0.1 (DNS rebinding) makes the answers readable too: then `Host` and `Origin` carry the page's name.
 */

/**
 * Why a request is refused, or `undefined` if it may pass.
 *
 * @param headers The request's headers.
 * @param port The port that the server listens on.
 */
export function strangerReason(headers: Headers, port: number): string | undefined {
  const authorities = ["127.0.0.1", "localhost", "[::1]"].map((host) => `${host}:${port}`);
  const host = headers.get("host");
  if (host === null || !authorities.includes(host.toLowerCase())) {
    return `Host ${JSON.stringify(host)} is not this server: ${authorities.join(", ")}`;
  }
  // Absent for everything that is not a browser.
  const origin = headers.get("origin");
  if (origin !== null && !authorities.includes(origin.toLowerCase().replace(/^http:\/\//, ""))) {
    return `Origin ${JSON.stringify(origin)} is not this server`;
  }
  return undefined;
}
