import { serveEverything } from "./everything.ts";
import assert from "node:assert/strict";

const VERSION = "2025-11-25";

Deno.test("a stream that the server closes before its answer can be resumed, and has the answer then", async () => {
  await using front = serveEverything();
  const post = (id: number, method: string, params: unknown, headers: Record<string, string> = {}) =>
    fetch(front.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
  const clientInfo = { name: "test", version: "1.0.0" };
  const hello = await post(1, "initialize", { protocolVersion: VERSION, capabilities: {}, clientInfo });
  await hello.text();
  const session = { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "" };
  const call = await post(2, "tools/call", { name: "test_reconnection", arguments: {} }, session);
  const [, id] = (await call.text()).match(/^id: (\S+)\nretry: 100\ndata: \n\n$/) ?? [];
  assert.ok(id, "a priming event, the time to wait, and nothing else");
  const resumed = await fetch(front.url, {
    headers: { accept: "text/event-stream", "mcp-protocol-version": VERSION, "last-event-id": id, ...session },
  });
  const reader = resumed.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.endsWith("\n\n")) text += (await reader?.read())?.value ?? assert.fail(`the stream ended after ${text}`);
  assert.match(text, /"text":"Answered on another stream\."/);
  assert.match(text, /"id":2/);
  await reader?.cancel();
});
