// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { RealClock } from "../../core/mod.ts";
import { FixtureHost } from "../fixture_host.ts";
import { FIXTURES } from "../fixtures/registry.ts";
import { type HttpFront, serveFixture } from "../http/mod.ts";
import { PlainHub } from "../testing.ts";
import { StreamableHTTPClientTransport } from "./sdk.ts";
import { listening } from "./testing_http.ts";
import { deno, HELLO, lines, ORDERS, proxy, run, start, tempFolder } from "./testing.ts";
import assert from "node:assert/strict";

/** A fixture over HTTP, in this process. */
function fixture(options: { json?: boolean } = {}): HttpFront {
  const host = new FixtureHost(FIXTURES.get("orders") ?? assert.fail());
  host.bind({ clock: new RealClock() });
  return serveFixture(host, options);
}

async function withClient<T>(url: URL, use: (client: Client, transport: StreamableHTTPClientTransport) => Promise<T>) {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(url);
  await client.connect(transport);
  try {
    return await use(client, transport);
  } finally {
    await transport.terminateSession().catch(() => {});
    await client.close();
  }
}

const find = (client: Client) => client.callTool({ name: "find_order", arguments: { order_id: "12345" } });
const talk = (url: URL) =>
  withClient(url, async (client) => [(await client.listTools()).tools, await find(client), client.getServerVersion()]);

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
function post(url: URL, message: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
}

const CALL = { id: 5, method: "tools/call", params: { name: "find_order", arguments: { order_id: "12345" } } };

/** Status, the headers that MCP knows, and the body, of everything that a client can do. */
async function rawTalk(url: URL): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = async (response: Response) => {
    const [type, session] = ["content-type", "mcp-session-id"].map((name) => response.headers.get(name));
    seen.push([response.status, type, session === null, await response.text()]);
    return session ?? "";
  };
  const [hello = {}, initialized = {}] = HELLO;
  const session = await note(await post(url, hello));
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  await note(await post(url, initialized, headers));
  await note(await post(url, CALL, headers));
  await note(await post(url, CALL, { ...headers, "mcp-protocol-version": "1999-01-01" }));
  await note(await post(url, CALL, { ...headers, "mcp-session-id": "nobody" }));
  await note(await post(url, CALL));
  await note(await post(url, CALL, { ...headers, accept: "text/plain" }));
  const stream = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
  seen.push([stream.status, stream.headers.get("content-type")]);
  await note(await fetch(url, { headers: { ...headers, accept: "text/event-stream" } }));
  await note(await fetch(url, { method: "PUT", headers }));
  await note(await fetch(url, { method: "DELETE", headers }));
  await stream.body?.cancel();
  await note(await post(url, CALL, headers));
  return seen;
}

for (const json of [false, true]) {
  const bodies = json ? "JSON" : "SSE";
  for (
    const [way, options] of [["", {}], [", with a fault that does not strike", {
      specs: ["tool_error:nobody"],
    }]] as const
  ) {
    Deno.test(`proxy --listen --upstream is transparent for sessions, headers, streams and ${bodies} bodies${way}`, async () => {
      await using direct = fixture({ json });
      const wanted = await rawTalk(new URL(direct.url));
      await using server = fixture({ json });
      await using front = await listening({ upstream: server.url, ...options });
      assert.deepEqual(await rawTalk(front.url), wanted);
      assert.deepEqual(await talk(front.url), await talk(new URL(server.url)));
      assert.equal(server.sessions, 0);
    });
  }

  Deno.test(`proxy --upstream applies faults to messages in ${bodies} bodies`, async () => {
    await using server = fixture({ json });
    await using folder = await tempFolder();
    const record = `${folder.path}/r.jsonl`;
    await using front = await listening({
      upstream: server.url,
      specs: [
        "tool_error:find_order,calls=1,message=down",
        "latency:find_order,calls=2,ms=1",
        "black_hole:find_order,calls=3",
      ],
      record,
    });
    await withClient(front.url, async (client) => {
      assert.deepEqual(await find(client), { content: [{ type: "text", text: "down" }], isError: true });
      assert.match(JSON.stringify(await find(client)), /ORD-REF-7731/);
      const called = new AbortController();
      const never = client.callTool({ name: "find_order", arguments: {} }, undefined, { signal: called.signal });
      // It is not answered; what is asked after it is.
      await client.ping();
      called.abort("enough");
      await assert.rejects(never, /enough/);
      assert.match(JSON.stringify(await find(client)), /ORD-REF-7731/);
    });
    const types = (await Deno.readTextFile(record)).trim().split("\n").map((line) => JSON.parse(line).type);
    assert.equal(types.filter((type) => type === "fault").length, 3);
    assert.equal(types.filter((type) => type === "cancelled").length, 1);
  });

  Deno.test(`proxy --upstream hands out a reply that is no JSON in ${bodies} bodies`, async () => {
    await using server = fixture({ json });
    await using front = await listening({ upstream: server.url, specs: ["bad_frame:find_order"] });
    const [hello = {}] = HELLO;
    const begun = await post(front.url, hello);
    await begun.text();
    const headers = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? assert.fail() };
    const response = await post(front.url, CALL, headers);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
    const { value } = await reader.read();
    assert.throws(() => JSON.parse(value?.match(/^data: (.*)$/m)?.[1] ?? value ?? ""));
    await reader.cancel();
  });
}

Deno.test("proxy --upstream answers 502 when a fault refuses the connection, and cuts what is on its way when one ends it", async () => {
  await using server = fixture();
  {
    await using front = await listening({ upstream: server.url, specs: ["server_down,first=1"] });
    const refused = await post(front.url, HELLO[0] ?? {});
    assert.deepEqual([refused.status, (await refused.json()).error.message], [502, "orders: connection refused"]);
    assert.match(JSON.stringify(await talk(front.url)), /ORD-REF-7731/);
  }
  await using front = await listening({ upstream: server.url, specs: ["crash:find_order,moment=on_request"] });
  await assert.rejects(withClient(front.url, find), /the connection to the server was lost/);
});

Deno.test("proxy --upstream answers 502 when there is nobody upstream", async () => {
  const gone = fixture();
  await gone.close();
  await using front = await listening({ upstream: gone.url });
  const response = await post(front.url, HELLO[0] ?? {});
  assert.equal(response.status, 502);
  await response.text();
});

Deno.test("proxy --upstream lets a server take its time over what asks for no answer, and hands out what it says", async () => {
  const taken: unknown[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const message = await request.json();
    if (message.id !== undefined) return Response.json({ jsonrpc: "2.0", id: message.id, result: {} });
    // Timers run in the order in which they were set: any of the proxy's own, set before it asked, has run then.
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0));
    taken.push([message.method, request.signal.aborted]);
    return new Response("not now", { status: 404 });
  });
  const upstream = `http://127.0.0.1:${server.addr.port}/mcp`;
  await using front = await listening({ upstream, specs: ["tool_error:nobody"] });
  const [hello = {}, initialized = {}] = HELLO;
  await (await post(front.url, hello)).text();
  const response = await post(front.url, initialized);
  assert.deepEqual([response.status, await response.text()], [404, "not now"]);
  assert.deepEqual(taken, [["notifications/initialized", false]]);
});

Deno.test("proxy --listen refuses whom a web page sends", async () => {
  await using server = fixture();
  await using front = await listening({ upstream: server.url });
  const response = await post(front.url, HELLO[0] ?? {}, { origin: "https://evil.example" });
  assert.equal(response.status, 403);
  await response.text();
});

Deno.test("proxy --listen serves a command over HTTP, a process for each session, all behind one injector", async () => {
  await using direct = fixture();
  await using front = await listening({ command: ORDERS, specs: ["tool_error:find_order,calls=2,message=down"] });
  assert.deepEqual(await talk(front.url), await talk(new URL(direct.url)));
  await withClient(front.url, async (client) => {
    assert.deepEqual(await find(client), { content: [{ type: "text", text: "down" }], isError: true });
    assert.match(JSON.stringify(await find(client)), /ORD-REF-7731/);
  });
});

Deno.test("proxy --listen answers in the protocol when the command has gone", async () => {
  await using front = await listening({
    command: ORDERS,
    specs: ["crash:find_order,moment=on_request", "server_down,calls=2"],
  });
  await withClient(front.url, async (client) => {
    await client.listTools();
    await assert.rejects(find(client), /the server has ended/);
    await assert.rejects(find(client), /the server has ended/);
  });
  const refused = await post(front.url, HELLO[0] ?? {});
  assert.match(await refused.text(), /connection refused/);
});

Deno.test("proxy --upstream gives a client of stdio a server of HTTP", async () => {
  await using server = fixture();
  const hub = new PlainHub(
    start(proxy(["--upstream", server.url, "--fault", "tool_error,calls=2"], ["--allow-net=127.0.0.1"])),
  );
  const hello = await hub.request("initialize", (HELLO[0] as { params: Record<string, unknown> }).params);
  assert.match(JSON.stringify(hello), /"name":"orders"/);
  await hub.notify("notifications/initialized");
  assert.match(JSON.stringify(await hub.request("tools/list")), /find_order/);
  assert.match(JSON.stringify(await hub.call("find_order", { order_id: "12345" })), /ORD-REF-7731/);
  assert.match(JSON.stringify(await hub.call("find_order", { order_id: "12345" })), /"isError":true/);
  await hub.close();
  assert.equal(server.sessions, 0, "the session has been ended");
});

Deno.test("proxy --upstream waits for an answer that comes long after stdin has ended", async () => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id } = await request.json();
    // Longer than any client waits for an end; however much longer it takes does not matter.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return Response.json({ jsonrpc: "2.0", id, result: {} });
  });
  const upstream = ["--upstream", `http://127.0.0.1:${server.addr.port}/mcp`];
  const { code, out } = await run(proxy(upstream, ["--allow-net=127.0.0.1"]), lines(CALL));
  assert.deepEqual([code, new TextDecoder().decode(out)], [0, '{"jsonrpc":"2.0","id":5,"result":{}}\n']);
});

for (
  const [args, why] of [
    [[], /which server\? Give either --upstream URL, or -- and a command/],
    [["--upstream", "http://127.0.0.1:1/mcp", "--", "x"], /which server\?/],
    [["--wait", "soon", "--", "x"], /--wait "soon" is no time: write 500ms, 30s or 10m/],
    [["--upstream", "nowhere"], /--upstream "nowhere" is no URL/],
    [["--listen", "x", "--", "x"], /--listen "x" is no port/],
    [["--listen", "0", "--", "x"], /no permission to listen: run deno with --allow-net=127\.0\.0\.1/],
    [["--broker", "allow", "--upstream", "http://127.0.0.1:1/"], /--broker goes with a command/],
    [["--broker", "allow", "--", "x"], /the broker needs a temporary folder: run deno with --allow-write/],
    [["--fault", "broker_deny", "--", "x"], /the fault broker_deny needs the permission broker: add --broker/],
    [["--name", "a.b", "--", "x"], /--name "a\.b" is no name of a server/],
    [["--record", "/nowhere/x", "--", "x"], /\/nowhere\/x cannot be written: run deno with --allow-write/],
    [["--faults", "/nowhere/x.yaml", "--", "x"], /\/nowhere\/x\.yaml does not exist/],
  ] as const
) {
  Deno.test(`proxy ${args.join(" ")} says in one line what is wrong, and exits with 2`, async () => {
    const { code, out, err } = await run(proxy(args), "");
    assert.deepEqual([code, out.length], [2, 0]);
    assert.match(err, why);
    assert.match(err, /^brownout: [^\n]*\n$/);
  });
}

Deno.test("proxy needs no permission but to read and to start what it stands before", async () => {
  const { code, err } = await run(deno("--allow-read", proxy([]).at(-2) ?? "", "proxy", "--", Deno.execPath()), "");
  assert.deepEqual([code, err], [2, "brownout: no permission to start a command: run deno with --allow-run\n"]);
});
