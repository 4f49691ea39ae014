/**
 * What of the MCP SDK only an HTTP front needs, apart from `sdk.ts` so that nobody else pays for loading it. Types are
 * pinned as there.
 */
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/server/completable"
export { completable } from "@modelcontextprotocol/sdk/server/completable.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/server/mcp"
export { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/server/webStandardStreamableHttp"
export {
  type EventStore,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/types"
export {
  type JSONRPCMessage,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
