/**
 * What of the MCP SDK only the proxy's HTTP side needs. Types are pinned at each import, as in `servers/sdk.ts`, because
 * Deno would take them for `any`.
 */
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp"
export { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/types"
export { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
