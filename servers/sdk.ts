/**
 * The one place where this folder meets the MCP SDK. Deno sees `any` behind the SDK's `.js` subpaths unless the types are
 * pinned at each import; `sdk_test.ts` does not compile if a pin is lost.
 */
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/server"
export { Server } from "@modelcontextprotocol/sdk/server/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/types"
export {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
