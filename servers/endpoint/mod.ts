/**
 * Models over HTTP: OpenAI's and Anthropic's protocols on the loopback interface, scripted or forwarded, with faults.
 *
 * @module
 */
export { type Backend, type Endpoint, endpoint, type EndpointOptions } from "./endpoint.ts";
export type { Upstream } from "./forward.ts";
