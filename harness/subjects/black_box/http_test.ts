import assert from "node:assert/strict";
import { UsageError } from "../../cli/exit.ts";
import type { Lane } from "../../lanes/lane.ts";
import { wireLane } from "../../lanes/wire.ts";
import type { CellResult } from "../../runner/run.ts";
import { cellSpec, runOne } from "../../testing/cells.ts";
import { findSubject } from "../registry.ts";
import { checkOf, notGreen, ONE_DESK } from "./testing.ts";

/** What a server is told; as much of it as these tests use. */
interface Told {
  readonly request: string;
  readonly modelUrl: string;
  readonly deadlineMs: number;
  readonly mcp: {
    readonly mcpServers: Readonly<Record<string, { command: string; args: string[]; env: Record<string, string> }>>;
  };
}

/** Runs the desk with a server of this process as its subject. */
async function served(
  lane: Lane,
  answer: (told: Told) => Promise<Response> | Response,
  options: { readonly deadlineMs?: number } = {},
): Promise<CellResult> {
  const end = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: end.signal, onListen: () => {} },
    async (request) =>
      request.method === "POST" ? await answer(await request.json()) : new Response("", { status: 405 }),
  );
  try {
    const subject = await findSubject(`http://localhost:${server.addr.port}/desk`).load();
    return await runOne(cellSpec(ONE_DESK, { subject, lane: "wire", ...options }), lane);
  } finally {
    end.abort();
    await server.finished;
  }
}

/** One question to billing's model, which has nothing to call. */
async function ask({ modelUrl, request }: Told, tools: unknown[] = []): Promise<unknown> {
  const reply = await fetch(`${modelUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "planner", messages: [{ role: "user", content: request }], tools }),
  });
  return await reply.json();
}

Deno.test("a server on this machine is a subject, with the same answer", async () => {
  await using lane = wireLane();
  let told: Told | undefined;
  const result = await served(lane, async (given) => {
    told = given;
    await ask(given);
    const failure = { specialist: "billing", code: "tool_error", detail: "not tried" };
    return Response.json({
      answer: "The billing specialist failed (tool_error).",
      status: "failed",
      failures: [failure],
    });
  });
  assert.equal(told?.request, ONE_DESK.request);
  assert.deepEqual(Object.keys(told?.mcp.mcpServers ?? {}), ["orders"]);
  assert.match(checkOf(result, "run.ended"), /^pass/);
  assert.match(checkOf(result, "run.drained"), /^pass/);
  assert.match(checkOf(result, "answer.status"), /^fail: /);
});

Deno.test("a server that fails, is late or keeps connections has a verdict of its own", async (t) => {
  await using lane = wireLane();
  await t.step("fails", async () => {
    const result = await served(lane, () => new Response("no such desk", { status: 500 }));
    assert.equal(checkOf(result, "run.ended"), "fail: crashed: it replied with status 500: no such desk");
  });
  await t.step("sends nothing", async () => {
    const result = await served(lane, () => new Response(" \n"));
    assert.equal(checkOf(result, "run.ended"), "fail: crashed: it sent an empty body");
  });
  await t.step("sends elsewhere", async () => {
    const result = await served(lane, () => Response.redirect("http://127.0.0.1:1/"));
    assert.match(checkOf(result, "run.ended"), /^fail: crashed: it replied with status 302/);
  });
  await t.step("is late", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const result = await served(lane, () => promise, { deadlineMs: 1000 });
    resolve(new Response("too late"));
    assert.equal(checkOf(result, "run.ended"), "fail: overdue: no answer within 1000 ms: it had not replied");
  });
  await t.step("floods", async () => {
    const result = await served(lane, () => new Response("x".repeat(2 ** 21)));
    assert.equal(checkOf(result, "run.ended"), "fail: crashed: its reply has more than 1048576 bytes");
  });
  await t.step("keeps a connection", async () => {
    let child: Deno.ChildProcess | undefined;
    const result = await served(lane, async (told) => {
      const { command = "", args = [], env = {} } = told.mcp.mcpServers["orders"] ?? {};
      child = new Deno.Command(command, { args, env, stdin: "piped", stdout: "piped" }).spawn();
      const hello = { jsonrpc: "2.0", id: 1, method: "ping" };
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(`${JSON.stringify(hello)}\n`));
      const reader = child.stdout.getReader();
      await reader.read();
      writer.releaseLock();
      reader.releaseLock();
      await ask(told);
      return new Response("Two charges.");
    });
    assert.equal(checkOf(result, "run.drained"), "fail: the subject left 1 connections open");
    // Whoever holds it sees that it is over.
    await child?.stdin.close().catch(() => {});
    await child?.output();
  });
});

Deno.test("only servers on this machine can be subjects, and they have to be there", async () => {
  for (const text of ["https://localhost:1/", "http://example.com/", "http://a:b@localhost:1/", "http://"]) {
    assert.throws(() => findSubject(text), UsageError, text);
  }
  await assert.rejects(findSubject("http://127.0.0.1:1/").load(), /nobody listens at http:\/\/127.0.0.1:1/);
});

Deno.test("a server that is gone when its cell begins is a crash, and nobody waits for it", async () => {
  await using lane = wireLane();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const subject = await findSubject(`http://localhost:${listener.addr.port}/desk`).load();
  listener.close();
  const result = await runOne(cellSpec(ONE_DESK, { subject, lane: "wire" }), lane);
  assert.equal(checkOf(result, "run.ended"), "fail: crashed: the connection broke before it had replied");
});

Deno.test("a text is an answer over HTTP, too", async () => {
  await using lane = wireLane();
  const result = await served(lane, async (told) => {
    await ask(told);
    return new Response("Two charges.");
  });
  assert.deepEqual(notGreen(result), [
    'fail says:orders.find_order:$129.00: the answer does not say "$129.00"',
  ]);
});
