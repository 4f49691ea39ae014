/**
 * A server that has what the MCP project's conformance suite asks servers for, under the names that it asks for. It shows
 * that the HTTP front, and whatever stands in front of it, bends none of the protocol.
 */
import { HttpFront, type HttpFrontOptions } from "../http/mod.ts";
import { McpServer } from "../sdk_http.ts";
import { registerAskingTools } from "./asking_tools.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";
import { registerTools } from "./tools.ts";

/** Makes the server of one session. */
export function everything(): McpServer {
  const mcp = new McpServer({ name: "brownout-conformance", version: "1.0.0" }, {
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
  });
  registerTools(mcp);
  registerAskingTools(mcp);
  registerResources(mcp);
  registerPrompts(mcp);
  return mcp;
}

/** Serves it over HTTP, with streams that can be resumed. */
export function serveEverything(options: Pick<HttpFrontOptions, "port"> = {}): HttpFront {
  return new HttpFront({ ...options, retryMs: 100, connect: (transport) => everything().connect(transport) });
}
