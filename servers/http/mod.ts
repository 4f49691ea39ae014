/**
 * Fixtures over streamable HTTP.
 *
 * @module
 */
export { HttpFront, type HttpFrontOptions, type HttpTransport } from "./front.ts";
export { serveFixture, type ServeFixtureOptions } from "./fixture_front.ts";
