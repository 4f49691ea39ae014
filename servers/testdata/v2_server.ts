/** A server on the SDK's next line, which speaks both protocol eras over stdio. For tests. */
// deno-lint-ignore no-import-prefix -- a peer, and no dependency of this project
import { McpServer } from "npm:@modelcontextprotocol/server@2.4.0";
// deno-lint-ignore no-import-prefix
import { serveStdio } from "npm:@modelcontextprotocol/server@2.4.0/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "greeter", version: "1.0.0" });
  server.registerTool("greet", {
    description: "Greets somebody",
    inputSchema: z.object({ name: z.string() }),
  }, ({ name }) => ({ content: [{ type: "text", text: `Hello ${name}` }] }));
  return server;
});
