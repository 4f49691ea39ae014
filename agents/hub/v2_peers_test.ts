import { McpServer } from "npm:@modelcontextprotocol/server@2.4.0";
import { serveStdio } from "npm:@modelcontextprotocol/server@2.4.0/stdio";
import assert from "node:assert/strict";
import * as z from "zod";
import { JsonLines, memoryPair, RealClock } from "../../core/mod.ts";
import { Hub, type HubOptions, type ServerPort } from "./hub.ts";

// Servers on the SDK's next line. It speaks two protocol eras, and chooses by how a client opens; the hub is built on the
// line before and opens as that does.

function makeServer(): McpServer {
  const server = new McpServer({ name: "greeter", version: "1.0.0" });
  const input = z.object({ name: z.string() });
  server.registerTool("greet", {
    description: "Greets somebody",
    inputSchema: input,
    outputSchema: z.object({ greeting: z.string() }),
  }, ({ name }) => {
    const greeting = `Hello ${name}`;
    return { content: [{ type: "text", text: greeting }], structuredContent: { greeting } };
  });
  server.registerTool("fail", { description: "Fails", inputSchema: input }, () => {
    throw new Error("no such person");
  });
  return server;
}

/** Ways to serve, over a connection in memory. */
const SERVED: Readonly<Record<string, (lines: JsonLines) => { end(): Promise<void>; server?: McpServer }>> = {
  "connected by itself": (lines) => {
    const server = makeServer();
    const ready = server.connect(lines);
    return { server, end: () => ready.then(() => server.close()) };
  },
  "for both eras": (lines) => {
    const handle = serveStdio(makeServer, { transport: lines });
    return { end: () => handle.close() };
  },
};

function portTo(serve: (lines: JsonLines) => { end(): Promise<void>; server?: McpServer }) {
  const served: ReturnType<typeof serve>[] = [];
  const port: ServerPort = {
    name: "v2",
    connect: () => {
      const [near, far] = memoryPair();
      served.push(serve(new JsonLines(far)));
      return Promise.resolve(near);
    },
  };
  return { port, served };
}

const call = (hub: Hub, name: string, args: { [key: string]: string }) =>
  hub.call(name, args, { allow: ["v2"], signal: new AbortController().signal, span: "run/x", timeoutMs: 60_000 });
const open = (port: ServerPort, more: Partial<HubOptions> = {}) =>
  Hub.open({ ports: [port], clock: new RealClock(), ...more });

for (const [way, serve] of Object.entries(SERVED)) {
  Deno.test(`Hub connects to a server of SDK v2 that is served ${way}, lists and calls`, async () => {
    const { port, served } = portTo(serve);
    const hub = await open(port, { idleTimeoutMs: 60_000 });
    assert.deepEqual(hub.servers(), [{ name: "v2", state: "up", tools: ["v2.greet", "v2.fail"], problems: [] }]);
    assert.deepEqual(await call(hub, "v2.greet", { name: "Ada" }), {
      kind: "answered",
      text: "Hello Ada",
      structured: { greeting: "Hello Ada" },
    });
    const broke = await call(hub, "v2.fail", { name: "Ada" });
    assert.deepEqual([broke.code, broke.text], ["tool_error", "no such person"]);
    assert.equal((await call(hub, "v2.greet", {})).code, "tool_error");
    await hub.close();
    for (const one of served) await one.end();
  });
}

Deno.test("Hub knows at once that a server of SDK v2 speaks the new era alone", async () => {
  const { port, served } = portTo((lines) => {
    const handle = serveStdio(makeServer, { transport: lines, legacy: "reject" });
    return { end: () => handle.close() };
  });
  const hub = await open(port);
  const [status] = hub.servers();
  assert.deepEqual([status?.state, status?.failure?.code], ["down", "server_down"]);
  assert.match(status?.failure?.detail ?? "", /protocol version/i);
  await hub.close();
  for (const one of served) await one.end();
});

Deno.test("Hub lists again when a server of SDK v2 says that its tools have changed", async () => {
  const { port, served } = portTo(SERVED["connected by itself"] ?? assert.fail());
  const hub = await open(port, { relistDelayMs: 0 });
  served[0]?.server?.registerTool("more", { description: "More" }, () => ({ content: [] }));
  // A minute, to give up; how long a good one takes does not matter.
  for (let i = 0; i < 6000 && hub.specs(["v2.more"]).length === 0; i++) {
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.equal((await call(hub, "v2.more", {})).code, "empty_result");
  await hub.close();
  for (const one of served) await one.end();
});
