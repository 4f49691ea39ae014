// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { RealClock, sleep } from "../../core/mod.ts";
import { z } from "zod";
import { defineFixture, type Fixture } from "../fixture.ts";
import { FixtureHost, LEDGER, RESET } from "../fixture_host.ts";
import { notes } from "../fixtures/notes.ts";
import { orders } from "../fixtures/orders.ts";
import { type HttpFront, serveFixture, type ServeFixtureOptions } from "./mod.ts";
import assert from "node:assert/strict";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
};

function serve(fixture: Fixture, options: ServeFixtureOptions = {}): HttpFront {
  const host = new FixtureHost(fixture);
  host.bind({ clock: new RealClock() });
  return serveFixture(host, options);
}

/** A client whose every connection is gone when it is disposed of. */
class TestClient extends Client implements AsyncDisposable {
  readonly transport_: StreamableHTTPClientTransport;
  constructor(url: string) {
    super({ name: "test", version: "1.0.0" });
    this.transport_ = new StreamableHTTPClientTransport(new URL(url));
  }
  static async to({ url }: HttpFront): Promise<TestClient> {
    const client = new TestClient(url);
    await client.connect(client.transport_);
    return client;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const accept = "application/json, text/event-stream";
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...headers },
    body: JSON.stringify(body),
  });
}

for (const json of [false, true]) {
  Deno.test(`serveFixture() answers the official client in ${json ? "JSON" : "event streams"}`, async () => {
    await using front = serve(orders, { json });
    await using client = await TestClient.to(front);
    assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ["find_order", "refund_status"]);
    const found = await client.callTool({ name: "find_order", arguments: { order_id: "12345" } });
    assert.match(JSON.stringify(found), /ORD-REF-7731/);
    const answer = await post(front.url, INITIALIZE);
    assert.match(answer.headers.get("content-type") ?? "", json ? /^application\/json/ : /^text\/event-stream/);
    assert.match(await answer.text(), /"serverInfo":\{"name":"orders"/);
  });
}

Deno.test("serveFixture() shows all its clients one world, and its ledger to who asks for it", async () => {
  await using front = serve(notes);
  await using ann = await TestClient.to(front);
  await using bob = await TestClient.to(front);
  await ann.callTool({ name: "write", arguments: { key: "k", value: "v", author: "ann" } });
  const read = await bob.callTool({ name: "read", arguments: { key: "k" } });
  assert.match(JSON.stringify(read), /author\\":\\"ann/);
  const ledger = z.object({ fixture: z.string(), calls: z.array(z.object({ tool: z.string() })) });
  const seen = await bob.request({ method: LEDGER }, ledger);
  assert.deepEqual(seen, { fixture: "notes", calls: [{ tool: "write" }, { tool: "read" }] });
  await ann.request({ method: RESET }, z.object({}));
  assert.deepEqual((await bob.request({ method: LEDGER }, ledger)).calls, []);
});

Deno.test("HttpFront forgets a session that its client has ended", async () => {
  await using front = serve(orders);
  await using client = await TestClient.to(front);
  const id = client.transport_.sessionId ?? "";
  assert.equal(front.sessions, 1);
  await client.transport_.terminateSession();
  assert.equal(front.sessions, 0);
  const late = await post(front.url, { jsonrpc: "2.0", id: 2, method: "tools/list" }, { "mcp-session-id": id });
  assert.equal(late.status, 404);
  assert.match(await late.text(), /Session not found/);
});

Deno.test("HttpFront refuses what is no session, and keeps nothing of it", async () => {
  await using front = serve(orders, { maxSessions: 1 });
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  for (
    const [response, status, text] of [
      [post(front.url, list), 400, /not initialized/],
      [post(front.url, list, { "mcp-session-id": "made-up" }), 404, /Session not found/],
      [post(front.url, "{"), 400, /Parse error|Invalid/],
      [post(front.url.replace("/mcp", "/"), INITIALIZE), 404, /the endpoint is \/mcp/],
      [fetch(front.url, { headers: { accept: "text/event-stream" } }), 400, /not initialized/],
      [fetch(front.url, { method: "PUT" }), 405, /Method not allowed/],
    ] as const
  ) {
    const got = await response;
    assert.match(await got.text(), text);
    assert.equal(got.status, status);
  }
  assert.equal(front.sessions, 0);
  await (await post(front.url, INITIALIZE)).text();
  assert.equal(front.sessions, 1);
  const tooMany = await post(front.url, INITIALIZE);
  assert.equal(tooMany.status, 503);
  assert.match(await tooMany.text(), /Too many sessions: 1/);
});

Deno.test("HttpFront refuses requests under a stranger's name, as DNS rebinding sends them", async () => {
  await using front = serve(orders);
  const { port } = new URL(front.url);
  // By hand: fetch() lets nobody set Host.
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
  const body = JSON.stringify(INITIALIZE);
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: evil.example.com:${port}`,
    "Accept: application/json, text/event-stream",
    "Content-Type: application/json",
    "Connection: close",
    `Content-Length: ${body.length}`,
  ];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`));
  const reply = await new Response(connection.readable).text();
  assert.match(reply, /^HTTP\/1\.1 403 /);
  assert.match(reply, /Host \\"evil\.example\.com:\d+\\" is not this server/);
  const stranger = await post(front.url, INITIALIZE, { origin: "http://evil.example.com" });
  assert.equal(stranger.status, 403);
  assert.match(await stranger.text(), /Origin/);
  assert.equal(front.sessions, 0);
});

for (const json of [false, true]) {
  Deno.test(`HttpFront closes while a tool waits, with ${json ? "JSON" : "event streams"}`, async () => {
    const { promise: called, resolve: onCalled } = Promise.withResolvers<void>();
    const waiting = defineFixture({
      id: "waiting",
      version: "1.0.0",
      title: "Waits",
      data: z.strictObject({}),
      tools: (tool) => [tool({
        name: "wait",
        description: "Waits for an hour.",
        input: z.strictObject({}),
        async run(_, { clock, signal }) {
          onCalled();
          await sleep(clock, 3_600_000, signal);
          return {};
        },
      })],
    });
    const host = new FixtureHost(waiting);
    host.bind({ clock: new RealClock() });
    const front = serveFixture(host, { json });
    const hello = await post(front.url, INITIALIZE);
    await hello.text();
    const session = hello.headers.get("mcp-session-id") ?? "";
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait" } };
    const reply = post(front.url, call, { "mcp-session-id": session }).then((response) => response.text());
    await called;
    host.end();
    await front.close();
    assert.doesNotMatch(await reply, /"result"/);
    await assert.rejects(post(front.url, INITIALIZE), TypeError);
  });
}
