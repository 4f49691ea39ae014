/**
 * The fault proxy: puts the injector around anybody's MCP server, over stdio and over streamable HTTP.
 *
 * @module
 */
export { type ProxyOptions, ProxyUsageError } from "./options.ts";
export { runProxy } from "./proxy.ts";
export { unknownFault } from "./fault_spec.ts";
export { readYaml } from "./plan.ts";
