// deno-lint-ignore no-import-prefix -- a peer, and no dependency of this project
import { Client, SdkError, StreamableHTTPClientTransport } from "npm:@modelcontextprotocol/client@2.4.0";
import { fileURLToPath } from "node:url";
import { JsonLines, RealClock, spawnChild } from "../core/mod.ts";
import { FixtureHost } from "./fixture_host.ts";
import { orders } from "./fixtures/orders.ts";
import { serveFixture } from "./http/mod.ts";
import { spawnServe } from "./testing.ts";
import assert from "node:assert/strict";

// The SDK's next line speaks two protocol eras: the one up to 2025-11-25, and from 2026-07-28 one without `initialize`.
// Fixtures are built on the line before and speak the first alone.

const MODERN = "2026-07-28";

interface Peer {
  readonly transport: Parameters<Client["connect"]>[0];
  /** Closes what the client does not, and asserts that it ended by itself. */
  end(): Promise<void>;
}

const PEERS: Readonly<Record<string, () => Peer>> = {
  stdio() {
    const child = spawnServe(["orders"]);
    const transport = new JsonLines(child);
    return {
      transport,
      async end() {
        await transport.close();
        assert.deepEqual(await child.exited, { code: 0, signal: null });
      },
    };
  },
  HTTP() {
    const host = new FixtureHost(orders);
    host.bind({ clock: new RealClock() });
    const front = serveFixture(host);
    return { transport: new StreamableHTTPClientTransport(new URL(front.url)), end: () => front.close() };
  },
};

for (const [way, connect] of Object.entries(PEERS)) {
  for (const mode of ["legacy", "auto"] as const) {
    Deno.test(`a fixture serves a client of SDK v2 over ${way} that negotiates "${mode}"`, async () => {
      const { transport, end } = connect();
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
      await client.connect(transport);
      assert.equal(client.getNegotiatedProtocolVersion(), "2025-11-25");
      assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ["find_order", "refund_status"]);
      const found = await client.callTool({ name: "find_order", arguments: { order_id: "12345" } });
      assert.match(JSON.stringify(found.content), /ORD-REF-7731/);
      await client.close();
      await end();
    });
  }

  Deno.test(`a fixture refuses at once a client of SDK v2 over ${way} that insists on ${MODERN}`, async () => {
    const { transport, end } = connect();
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: { pin: MODERN } } });
    await assert.rejects(client.connect(transport), (error) => {
      assert.ok(error instanceof SdkError);
      assert.equal(error.code, "ERA_NEGOTIATION_FAILED");
      assert.match(error.message, /did not offer pinned protocol version 2026-07-28/);
      return true;
    });
    await client.close();
    await end();
  });
}

for (
  const [mode, version] of [["legacy", "2025-11-25"], ["auto", MODERN], [{ pin: MODERN }, MODERN]] as const
) {
  Deno.test(`core's child and JSON lines carry SDK v2 to SDK v2 with ${JSON.stringify(mode)}`, async () => {
    const env: Record<string, string> = {};
    for (const name of ["DENO_DIR", "HOME", "XDG_CACHE_HOME"]) {
      const value = Deno.env.get(name);
      if (value !== undefined) env[name] = value;
    }
    const script = fileURLToPath(new URL("./testdata/v2_server.ts", import.meta.url));
    // Its packages are the tests' own, which the bench's lock does not have.
    const lock = fileURLToPath(new URL("../deno.dev.lock", import.meta.url));
    const child = spawnChild({
      command: Deno.execPath(),
      args: ["run", "--quiet", "--no-prompt", `--lock=${lock}`, "--frozen", script],
      env,
      graceMs: 60_000,
    });
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new JsonLines(child));
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ["greet"]);
    const greeting = await client.callTool({ name: "greet", arguments: { name: "Ann" } });
    assert.deepEqual(greeting.content, [{ type: "text", text: "Hello Ann" }]);
    await client.close();
    assert.deepEqual(await child.exited, { code: 0, signal: null });
  });
}
