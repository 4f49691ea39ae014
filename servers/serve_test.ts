// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { fileURLToPath } from "node:url";
import { JsonLines } from "../core/mod.ts";
import { PlainHub, spawnServe } from "./testing.ts";
import assert from "node:assert/strict";

Deno.test("serve speaks MCP in plain JSON lines, and ends when its stdin ends", async () => {
  const child = spawnServe(["policy"]);
  const hub = new PlainHub(child);
  const hello = await hub.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  });
  assert.deepEqual((hello.result as { serverInfo: unknown }).serverInfo, {
    name: "policy",
    version: "1.0.0",
    title: "Policy desk",
  });
  await hub.notify("notifications/initialized");
  const { tools } = (await hub.request("tools/list")).result as { tools: { name: string }[] };
  assert.deepEqual(tools.map(({ name }) => name), ["check_policy"]);
  const data = { policies: [{ topic: "t", text: "x", effective: "2026-11", reference: "CANARY-9" }] };
  assert.deepEqual((await hub.request("brownout/reset", { data })).result, {});
  const { content } = (await hub.call("check_policy", { topic: "t" })).result as { content: { text: string }[] };
  assert.match(content[0]?.text ?? "", /CANARY-9/);
  await hub.close();
  assert.deepEqual(await child.exited, { code: 0, signal: null });
  assert.equal(child.stderrTail, "");
});

Deno.test("serve answers the official client", async () => {
  const child = spawnServe(["kb"]);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new JsonLines(child));
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ["search_kb"]);
  const { content } = await client.callTool({ name: "search_kb", arguments: { query: "duplicate" } });
  assert.match(JSON.stringify(content), /KB-201/);
  await client.close();
  assert.deepEqual(await child.exited, { code: 0, signal: null });
});

Deno.test("serve answers what it has read even if stdin ends at once", async () => {
  const child = spawnServe(["orders"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  let text = "";
  child.open({ bytes: (chunk) => text += new TextDecoder().decode(chunk), closed: resolve });
  const ping = (id: number) => new TextEncoder().encode(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
  child.write(ping(1));
  child.write(ping(2));
  await child.close();
  await promise;
  assert.deepEqual(text.trim().split("\n").map((line) => JSON.parse(line).id), [1, 2]);
});

for (
  const [args, message] of [
    [["ordres"], /^serve: unknown fixture "ordres" \(did you mean "orders"\?\): one of orders, kb, .*\n$/],
    [["kb", "--data", "x.json"], /^serve: x\.json may not be read: run deno with --allow-read=x\.json\n$/],
    [["kb", "--http"], /^serve: no permission to listen: run deno with --allow-net=127\.0\.0\.1\n$/],
  ] as const
) {
  Deno.test(`serve ${args.join(" ")} says in one line what is wrong, and exits with 2`, async () => {
    const child = spawnServe(args);
    child.open({ bytes: (chunk) => assert.fail(`on stdout: ${chunk}`), closed: () => {} });
    assert.deepEqual(await child.exited, { code: 2, signal: null });
    await child.close();
    assert.match(child.stderrTail, message);
  });
}

Deno.test("serve says what is wrong with the data that it is given", async () => {
  const file = new URL("../deno.json", import.meta.url).pathname;
  const child = spawnServe(["kb", "--data", file], file);
  assert.deepEqual(await child.exited, { code: 2, signal: null });
  await child.close();
  assert.match(child.stderrTail, /^serve: .*deno\.json: . Unrecognized keys: "compilerOptions", .*\n$/);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`serve --http says where it is in one line, serves, and ends well on ${signal}`, async () => {
    const script = fileURLToPath(new URL("./serve.ts", import.meta.url));
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--allow-net=127.0.0.1", script, "orders", "--http", "--json"],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const stderr = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    while (!said.endsWith("\n")) said += (await stderr.read()).value ?? assert.fail(`it ended after "${said}"`);
    const [, url] = said.match(/^serve: orders at (http:\/\/127\.0\.0\.1:\d+\/mcp)\n$/) ?? assert.fail(said);
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url ?? "")));
    const { content } = await client.callTool({ name: "find_order", arguments: { order_id: "12345" } });
    assert.match(JSON.stringify(content), /ORD-REF-7731/);
    // The client still listens for what the server may have to say: that must not keep it from ending.
    child.kill(signal);
    const { code, signal: killed } = await child.status;
    assert.deepEqual({ code, killed }, { code: 0, killed: null });
    assert.equal((await stderr.read()).done, true);
    await client.close();
  });
}
