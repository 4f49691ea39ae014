/**
 * What an ordinary user's program does: reads a client configuration, starts each server in it with the official SDK,
 * lists its tools and calls the first one. Prints one line of JSON a server. With `--hang` it then waits to be killed.
 *
 *     deno run --allow-read=mcp.json --allow-run --allow-env plain_client.ts mcp.json '{"order_id":"12345"}' [--hang]
 */
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { z } from "zod";

const configuration = z.object({
  mcpServers: z.record(
    z.string(),
    z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  ),
});

const [file = "", args = "{}", hang] = Deno.args;
const { mcpServers } = configuration.parse(JSON.parse(await Deno.readTextFile(file)));
for (const [name, server] of Object.entries(mcpServers)) {
  const transport = new StdioClientTransport(server);
  const client = new Client({ name: "plain-client", version: "1.0.0" });
  await client.connect(transport);
  const { pid } = transport;
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const result = await client.callTool({ name: tools[0] ?? "", arguments: JSON.parse(args) });
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ name, pid, tools, result })}\n`));
  if (hang === "--hang") await new Promise(() => setInterval(() => {}, 1000));
  await client.close();
}
