import assert from "node:assert/strict";
import type { Json } from "../../core/mod.ts";
import { sim } from "../testing.ts";
import { Hub } from "./hub.ts";
import { type FakeCall, FakeServer, textResult, tool } from "./testing.ts";

const never = new AbortController().signal;
const call = (hub: Hub, name = "s.find", args = {}) =>
  hub.call(name, args, { allow: ["s"], signal: never, span: "run/x", timeoutMs: 1000 });

Deno.test("Hub.call() says with an exact code why a server refused", () =>
  sim(async (clock) => {
    const errors: Json[] = [
      { code: -32000, message: "429", data: { status: 429, retryAfter: 2 } },
      { code: -32000, message: "no", data: { status: 401 } },
      { code: -32000, message: "409 Conflict", data: { status: 409 } },
      { code: -32000, message: "429 Too Many Requests" },
    ];
    const server = new FakeServer("s", {
      call: ({ id }, one) => one.send({ jsonrpc: "2.0", id, error: errors.shift() ?? null }),
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    const outcomes = [await call(hub), await call(hub), await call(hub), await call(hub)];
    assert.deepEqual(outcomes.map(({ kind, code }) => `${kind} ${code}`), [
      "rpc_error rate_limited",
      "rpc_error unauthorized",
      "rpc_error conflict",
      "rpc_error tool_error",
    ]);
    assert.equal(outcomes[0]?.retryAfterMs, 2000);
  }));

Deno.test("Hub.open() knows why a server refused to begin, and so do the calls that need it", () =>
  sim(async (clock) => {
    const refuse = (status: number) => (id: number, one: FakeServer) =>
      one.send({ jsonrpc: "2.0", id, error: { code: -32000, message: "no", data: { status } } });
    const ports = [
      new FakeServer("a", { on: { initialize: refuse(401) } }).port,
      new FakeServer("b", { on: { "tools/list": refuse(429) } }).port,
      new FakeServer("c", { on: { initialize: refuse(500) } }).port,
    ];
    await using hub = await Hub.open({ ports, clock });
    const codes = ["unauthorized", "rate_limited", "server_down"];
    assert.deepEqual(hub.servers().map(({ failure }) => failure?.code), codes);
    const calls = ["a.x", "b.x", "c.x"].map((name) =>
      hub.call(name, {}, { allow: ["a", "b", "c"], signal: never, span: "x" })
    );
    assert.deepEqual((await Promise.all(calls)).map(({ kind, code }) => `${kind} ${code}`), [
      "closed unauthorized",
      "closed rate_limited",
      "closed server_down",
    ]);
  }));

Deno.test("Hub.call() finds the failure inside a result that calls itself a success, and keeps the result as it came", () =>
  sim(async (clock) => {
    const results: [Json, string | undefined, string | undefined][] = [
      [textResult('{"error":"db down"}'), "tool_error", "db down"],
      [textResult('{"status":429,"message":"slow down"}'), "rate_limited", "429: slow down"],
      [{ content: [], structuredContent: { success: false } }, "tool_error", "the result says it failed"],
      [{ content: [{ type: "text", text: '{"error":"conflict"}' }], isError: true }, "conflict", undefined],
      [{ content: [] }, "empty_result", "the tool returned no content"],
      [textResult(" null\n"), "empty_result", "the tool returned no content"],
      [textResult("[]"), undefined, undefined],
      [{ content: [{ type: "image", data: "", mimeType: "image/png" }] }, undefined, undefined],
      [textResult("Error: the film, a review"), undefined, undefined],
    ];
    const server = new FakeServer("s", { call: ({ id, args }, one) => one.reply(id, (args as { r: Json }).r) });
    await using hub = await Hub.open({ ports: [server.port], clock });
    for (const [result, code, detail] of results) {
      const outcome = await call(hub, "s.find", { r: result });
      assert.deepEqual([outcome.code, outcome.detail], [code, detail], JSON.stringify(result));
    }
    assert.equal((await call(hub, "s.find", { r: textResult('{"error":"x"}') })).text, '{"error":"x"}');
  }));

const typed = (name: string, outputSchema: Json): Json => ({ name, inputSchema: { type: "object" }, outputSchema });
const NUMBER = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

Deno.test("Hub.call() holds structured content against what its tool has promised", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", {
      // The second page, because the SDK forgets the schemas of all pages but the last.
      pages: [[typed("find", NUMBER), tool("free")], [tool("other")]],
      call: ({ id, args }, one) => one.reply(id, (args as { r: Json }).r),
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    const text = { content: [{ type: "text", text: "fine" }] };
    const results: [Json, string | undefined][] = [
      [{ ...text, structuredContent: { n: 1 } }, undefined],
      [{ ...text, structuredContent: { n: "1" } }, "malformed_result"],
      [{ ...text, structuredContent: {} }, "malformed_result"],
      [text, "malformed_result"],
      // A failure needs no form, and keeps its reason.
      [{ ...text, isError: true, structuredContent: { error: { code: 17 } } }, "tool_error"],
      [textResult('{"error":"db down"}'), "tool_error"],
      [{ content: [] }, "empty_result"],
    ];
    for (const [r, code] of results) assert.equal((await call(hub, "s.find", { r })).code, code, JSON.stringify(r));
    assert.equal((await call(hub, "s.free", { r: text })).code, undefined);
    const broken = await call(hub, "s.find", { r: { ...text, structuredContent: { n: "1" } } });
    assert.match(broken.text, /not what the tool has promised: data\/n must be number/);
  }));

Deno.test("Hub.call() works without a check where a tool's schema is of no use, and says so among the problems", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", {
      pages: [[
        typed("find", { type: "nonsense" }),
        typed("dangling", { type: "object", properties: { v: { $ref: "#/$defs/nowhere" } } }),
        typed("text", "an object"),
        typed("long", { type: "object", title: "x".repeat(300_000) }),
      ]],
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    for (const name of ["find", "dangling", "text", "long"]) assert.equal((await call(hub, `s.${name}`)).text, "ok");
    assert.deepEqual((hub.servers()[0]?.problems ?? []).map((problem) => problem.replace(/ \(.*\)$/s, "")), [
      "the results of tool text are not checked: its output schema is none",
      "the results of tool find are not checked: its output schema is of no use",
      "the results of tool dangling are not checked: its output schema is of no use",
      "the results of tool long are not checked: its output schema is of no use",
    ]);
  }));

Deno.test("Hub.call() does not let one server's named schema stand in for another's", () =>
  sim(async (clock) => {
    const named = (type: string) => ({ $id: "https://example.net/result", ...NUMBER, properties: { n: { type } } });
    const servers = ["number", "string"].map((type) =>
      new FakeServer(type, {
        pages: [[typed("find", named(type))]],
        call: ({ id }, one) =>
          one.reply(id, {
            content: [{ type: "text", text: "x" }],
            structuredContent: { n: type === "number" ? 1 : "1" },
          }),
      })
    );
    await using hub = await Hub.open({ ports: servers.map(({ port }) => port), clock });
    for (const name of ["number", "string"]) {
      const { code } = await hub.call(`${name}.find`, {}, { allow: [name], signal: never, span: "x" });
      assert.equal(code, undefined, name);
    }
  }));

Deno.test("Hub.call() uses neither of two results that were swapped, on a server that gives marks back", () =>
  sim(async (clock) => {
    const echo = ({ meta }: FakeCall): Json => ({ ...textResult("ok") as object, _meta: meta });
    const server = new FakeServer("s", {
      call: (_, one) => {
        const [a, b, c] = one.calls;
        if (a === undefined || b === undefined || c === undefined) return;
        one.reply(a.id, echo(b));
        one.reply(b.id, echo(a));
        one.reply(c.id, echo(c));
      },
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    // All of one span, as a careless caller has it.
    const kinds = (await Promise.all([call(hub), call(hub), call(hub)])).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["malformed", "malformed", "answered"]);
    assert.equal(clock.now(), 0);
    assert.deepEqual(server.calls.map(({ meta }) => (meta as { [key: string]: Json })["brownout/nonce"]), [
      "run/x",
      "run/x~2",
      "run/x~3",
    ]);
  }));

Deno.test("Hub.call() leaves servers alone that give no mark back, or only sometimes", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", {
      call: ({ id, meta }, one) =>
        one.reply(id, one.calls.length === 1 ? { ...textResult("ok") as object, _meta: meta } : textResult("ok")),
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    for (let i = 0; i < 3; i++) assert.equal((await call(hub)).kind, "answered");
  }));

Deno.test("Hub.call() tells a tool that should be there from one that never was", () =>
  sim(async (clock) => {
    const ports = [
      new FakeServer("empty", { pages: [[]] }).port,
      new FakeServer("bad", { pages: [[tool("find"), { name: "broken" }]] }).port,
      new FakeServer("nameless", { pages: [[tool("find"), { inputSchema: { type: "object" } }]] }).port,
      new FakeServer("good").port,
    ];
    await using hub = await Hub.open({ ports, clock });
    const kinds = ["empty.find", "bad.broken", "bad.other", "nameless.other", "good.other"].map(async (name) => {
      const { kind, code } = await hub.call(name, {}, { allow: [name], signal: never, span: "x" });
      return `${kind} ${code}`;
    });
    assert.deepEqual(await Promise.all(kinds), [
      "unlisted tool_error",
      "unlisted tool_error",
      "unknown_tool denied",
      "unlisted tool_error",
      "unknown_tool denied",
    ]);
  }));

Deno.test("Hub.open() names tools that look alike", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", { pages: [[tool("find_order"), tool("find-order"), tool("refund")]] });
    await using hub = await Hub.open({ ports: [server.port], clock });
    assert.deepEqual(hub.servers()[0]?.problems, ["tools find_order and find-order have names that look alike"]);
    assert.equal(hub.specs(["s"]).length, 3);
  }));
