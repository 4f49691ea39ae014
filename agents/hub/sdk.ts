/**
 * The one place where the agents' side imports the MCP SDK. Its types are `any` under Deno unless they are pinned at
 * each import; `sdk_test.ts` fails to compile if they ever become so.
 */
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
export { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/types"
export { ErrorCode, type JSONRPCMessage, McpError } from "@modelcontextprotocol/sdk/types.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/shared/transport"
export type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
// This subpath is typed as it stands.
export { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
