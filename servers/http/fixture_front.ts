import type { FixtureHost } from "../fixture_host.ts";
import { HttpFront, type HttpFrontOptions } from "./front.ts";

/** Options of {@linkcode serveFixture}: see {@linkcode HttpFrontOptions}. */
export type ServeFixtureOptions = Pick<HttpFrontOptions, "port" | "json" | "maxSessions">;

/**
 * Serves a fixture over HTTP. All sessions see one state: what one client writes another reads.
 *
 * @param host Bound already.
 * @throws {Deno.errors.AddrInUse} If the port is taken.
 */
export function serveFixture(host: FixtureHost, options: ServeFixtureOptions = {}): HttpFront {
  return new HttpFront({ ...options, connect: (transport) => host.server().connect(transport) });
}
