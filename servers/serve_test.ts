// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
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
    [["ordres"], 'serve: unknown fixture "ordres" (did you mean "orders"?): one of orders, kb, policy\n'],
    [["constructor"], 'serve: unknown fixture "constructor": one of orders, kb, policy\n'],
    [[], "serve: which fixture? One of orders, kb, policy\n"],
    [["kb", "--port"], "serve: unknown option --port: there is --data FILE.json\n"],
    [["kb", "--data"], "serve: --data needs the name of a JSON file\n"],
    [["kb", "--data", "x.json"], "serve: x.json may not be read: run deno with --allow-read=x.json\n"],
  ] as const
) {
  Deno.test(`serve ${args.join(" ")} says in one line what is allowed, and exits with 2`, async () => {
    const child = spawnServe(args);
    child.open({ bytes: (chunk) => assert.fail(`on stdout: ${chunk}`), closed: () => {} });
    assert.deepEqual(await child.exited, { code: 2, signal: null });
    await child.close();
    assert.equal(child.stderrTail, message);
  });
}

Deno.test("serve says what is wrong with the data that it is given", async () => {
  const file = new URL("../deno.json", import.meta.url).pathname;
  const child = spawnServe(["kb", "--data", file], file);
  assert.deepEqual(await child.exited, { code: 2, signal: null });
  await child.close();
  assert.match(child.stderrTail, /^serve: .*deno\.json: . Unrecognized keys: "compilerOptions", .*\n$/);
});
