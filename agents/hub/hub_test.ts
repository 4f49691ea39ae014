import assert from "node:assert/strict";
import { CodedError, type Json, sleep } from "../../core/mod.ts";
import { abortAt, countingSignal, sim } from "../testing.ts";
import { Hub, type ServerPort } from "./hub.ts";
import { FakeServer, textResult, tool } from "./testing.ts";

const never = new AbortController().signal;
const using_ = (allow: readonly string[], signal = never) => ({ allow, signal, span: "run/x" });

/** A port whose connection never comes. */
const hanging: ServerPort = { name: "hanging", connect: () => new Promise(() => {}) };

Deno.test("Hub.call() answers with the text of the result, and tells the server where the call stands", () =>
  sim(async (clock) => {
    const server = new FakeServer("s");
    await using hub = await Hub.open({ ports: [server.port], clock });
    assert.deepEqual(await hub.call("s.find", { q: 1 }, using_(["s"])), { kind: "answered", text: "ok" });
    assert.deepEqual(server.calls, [
      { id: 2, tool: "find", args: { q: 1 }, meta: { "brownout/span": "run/x", "brownout/nonce": "run/x" } },
    ]);
  }));

Deno.test("Hub.call() makes text of every kind of content", () =>
  sim(async (clock) => {
    const results = [
      { content: [{ type: "text", text: "a" }, { type: "image", data: "", mimeType: "image/png" }] },
      { content: [{ type: "resource", resource: { uri: "file:///a", text: "in the file" } }] },
      { content: [], structuredContent: { n: 1 } },
      {},
    ];
    const texts = results.map((result) => {
      const server = new FakeServer("s", { call: ({ id }, one) => one.reply(id, result) });
      return Hub.open({ ports: [server.port], clock }).then(async (hub) => {
        const { text } = await hub.call("s.find", {}, using_(["s"]));
        await hub.close();
        return text;
      });
    });
    assert.deepEqual(await Promise.all(texts), ["a\n[image]", "in the file", '{"n":1}', ""]);
  }));

Deno.test("Hub.specs() shows a worker the tools of its allowlist and no others", () =>
  sim(async (clock) => {
    const ports = ["orders", "orders2", "constructor", "__proto__"].map((name) =>
      new FakeServer(name, { pages: [[tool("find"), tool("toString"), tool("__proto__")]] }).port
    );
    await using hub = await Hub.open({ ports, clock });
    const names = (allow: string[]) => hub.specs(allow).map(({ name }) => name);
    assert.deepEqual(names(["orders."]), ["orders.find", "orders.toString", "orders.__proto__"]);
    assert.deepEqual(names(["__proto__.find", "orders2.toString"]), ["orders2.toString", "__proto__.find"]);
    assert.deepEqual(names([]), []);
  }));

Deno.test("Hub.call() refuses what is off the allowlist without telling the server", () =>
  sim(async (clock) => {
    const server = new FakeServer("orders2");
    await using hub = await Hub.open({ ports: [server.port], clock });
    for (const allow of [[], ["orders"], ["orders2.other"]]) {
      const { kind, code } = await hub.call("orders2.find", {}, using_(allow));
      assert.deepEqual([kind, code], ["refused", "denied"]);
    }
    assert.equal(server.calls.length, 0);
  }));

Deno.test("Hub.call() knows no server and no tool that was not listed, whatever its name", () =>
  sim(async (clock) => {
    const server = new FakeServer("s");
    await using hub = await Hub.open({ ports: [server.port], clock });
    const names = ["s.lost", "s.", "s", "s.find.more", "lost.find", "", ".", ".find", "find"];
    const inherited = ["constructor", "__proto__", "toString", "hasOwnProperty"];
    for (const name of [...names, ...inherited.flatMap((one) => [one, `s.${one}`, `${one}.find`])]) {
      const { kind } = await hub.call(name, {}, using_([name, name.split(".")[0] ?? ""]));
      assert.ok(kind === "unknown_tool" || kind === "refused", `${name}: ${kind}`);
    }
    assert.equal(server.calls.length, 0);
  }));

Deno.test("Hub.call() tells a result that is an error from a protocol error", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", {
      call: ({ id, args }, one) => {
        const how = JSON.stringify(args);
        if (how.includes("rpc")) one.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "boom" } });
        else if (how.includes("mimic")) one.send({ jsonrpc: "2.0", id, error: { code: -32000, message: "db down" } });
        else one.reply(id, { isError: true, content: how.includes("mute") ? [] : [{ type: "text", text: "no such" }] });
      },
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    const call = (how: string) => hub.call("s.find", { how }, using_(["s"]));
    assert.deepEqual(await call("tool"), { kind: "tool_error", code: "tool_error", text: "no such" });
    assert.equal((await call("mute")).text, "the tool reported an error without a text");
    assert.deepEqual(await call("rpc"), { kind: "rpc_error", code: "tool_error", text: "MCP error -32603: boom" });
    // The SDK's own code for a closed connection, from a server that is well and open.
    assert.equal((await call("mimic")).kind, "rpc_error");
    assert.equal(hub.servers()[0]?.state, "up");
  }));

Deno.test("Hub.call() keeps a timeout apart from a call that was called off, and tells the server of either", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", { call: () => {} });
    await using hub = await Hub.open({ ports: [server.port], clock, callTimeoutMs: 5000 });
    const late = await hub.call("s.find", {}, { ...using_(["s"]), timeoutMs: 200 });
    assert.deepEqual(late, { kind: "timeout", code: "timeout", text: "no answer within 200 ms" });
    assert.equal(clock.now(), 200);
    const off = await hub.call("s.find", {}, using_(["s"], abortAt(clock, 50)));
    assert.deepEqual(off, { kind: "aborted", code: "cancelled", text: "the call was called off" });
    assert.equal(clock.now(), 250);
    assert.equal((await hub.call("s.find", {}, { ...using_(["s"]), timeoutMs: 60_000 })).kind, "timeout");
    assert.equal(clock.now(), 5250);
    const cancelled = server.received.filter(({ method }) => method === "notifications/cancelled");
    assert.deepEqual(cancelled.map(({ params }) => JSON.stringify(params).includes('"requestId":')), [
      true,
      true,
      true,
    ]);
    assert.equal(server.calls.length, 3);
  }));

Deno.test("Hub.call() ignores a reply that comes too late, and the session stays usable", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", {
      call: async ({ id, args }, one) => {
        if (JSON.stringify(args).includes("slow")) await sleep(clock, 300);
        one.reply(id, textResult(JSON.stringify(args)));
      },
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    assert.equal((await hub.call("s.find", { q: "slow" }, { ...using_(["s"]), timeoutMs: 100 })).kind, "timeout");
    const [, fast] = await Promise.all([sleep(clock, 400), hub.call("s.find", { q: 1 }, using_(["s"]))]);
    assert.equal(fast.text, '{"q":1}');
  }));

Deno.test("Hub.call() leaves neither a timer nor a listener behind", () =>
  sim(async (clock) => {
    const server = new FakeServer("s");
    const { signal, listeners, abort } = countingSignal();
    await using hub = await Hub.open({ ports: [server.port], clock }, signal);
    for (let i = 0; i < 20; i++) await hub.call("s.find", {}, using_(["s"], signal));
    assert.equal(listeners(), 0);
    assert.equal(clock.pending, 0);
    // A signal that fires after the calls is no cancellation of theirs.
    abort(new Error("later"));
    await sleep(clock, 1);
    assert.deepEqual(server.notified, ["notifications/initialized"]);
  }));

Deno.test("Hub.call() ends every call in flight at once when the server dies, and later ones too", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", { call: (_, one) => one.calls.length === 50 && one.die() });
    const other = new FakeServer("other");
    await using hub = await Hub.open({ ports: [server.port, other.port], clock });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => hub.call("s.find", {}, using_(["s"]))));
    assert.deepEqual([...new Set(outcomes.map(({ kind, code }) => `${kind} ${code}`))], ["closed server_down"]);
    assert.equal(clock.now(), 0);
    assert.equal((await hub.call("s.find", {}, using_(["s"]))).kind, "closed");
    assert.equal((await hub.call("other.find", {}, using_(["other"]))).kind, "answered");
    const closed = { code: "server_down", detail: "the connection closed" };
    assert.deepEqual(hub.down(["s", "other"]), [{ name: "s", failure: closed }]);
    assert.deepEqual(hub.servers().map(({ state, failure }) => [state, failure]), [["down", closed], [
      "up",
      undefined,
    ]]);
  }));

Deno.test("Hub.call() calls a reply without an end, before the server dies, a closed connection", () =>
  sim(async (clock) => {
    const server = new FakeServer("s", {
      call: ({ id }, one) => {
        one.raw(`{"jsonrpc":"2.0","id":${id},"result":{"con`, "");
        one.die();
      },
    });
    await using hub = await Hub.open({ ports: [server.port], clock });
    assert.equal((await hub.call("s.find", {}, using_(["s"]))).kind, "closed");
    assert.equal(clock.now(), 0);
  }));

Deno.test("Hub.open() starts with the servers that are there", () =>
  sim(async (clock) => {
    const good = new FakeServer("good");
    const ports: ServerPort[] = [
      { name: "refused", connect: () => Promise.reject(new Error("connection refused")) },
      {
        name: "thrown",
        connect: () => {
          throw "no such program";
        },
      },
      { name: "coded", connect: () => Promise.reject(new CodedError("unauthorized", "bad key")) },
      new FakeServer("dies", { on: { initialize: (_, one) => one.die() } }).port,
      new FakeServer("odd", { on: { initialize: (id, one) => one.reply(id, {}) } }).port,
      new FakeServer("old", {
        on: {
          initialize: (id, one) =>
            one.reply(id, { protocolVersion: "1999-01-01", capabilities: {}, serverInfo: { name: "x", version: "1" } }),
        },
      }).port,
      new FakeServer("listless", { on: { "tools/list": (id, one) => one.reply(id, { tools: "none" }) } }).port,
      new FakeServer("broken", { on: { "tools/list": (id, one) => one.raw(`{"id":${id},"result":{}}`) } }).port,
      good.port,
    ];
    await using hub = await Hub.open({ ports, clock });
    assert.equal(clock.now(), 0);
    assert.deepEqual(hub.servers().map(({ name, failure }) => [name, failure?.code]), [
      ["refused", "server_down"],
      ["thrown", "server_down"],
      ["coded", "unauthorized"],
      ["dies", "server_down"],
      ["odd", "malformed_result"],
      ["old", "server_down"],
      ["listless", "malformed_result"],
      ["broken", "malformed_result"],
      ["good", undefined],
    ]);
    assert.match(hub.servers()[5]?.failure?.detail ?? "", /protocol version is not supported: 1999-01-01/);
    assert.equal((await hub.call("good.find", {}, using_(["good"]))).kind, "answered");
    assert.equal((await hub.call("refused.find", {}, using_(["refused"]))).kind, "closed");
    assert.deepEqual(hub.down(["good", "coded.x"]).map(({ name }) => name), ["coded"]);
  }));

Deno.test("Hub.open() waits for a server no longer than it may take, and closes one that comes too late", () =>
  sim(async (clock) => {
    const late = new FakeServer("late");
    const mute = new FakeServer("mute", { on: { initialize: () => {} } });
    const stuck = new FakeServer("stuck");
    const noWrites = async () => {
      const connection = stuck.connect();
      const { write } = connection;
      let writes = 0;
      // It answers, and then takes no byte any more.
      connection.write = (chunk) => writes++ === 0 ? write.call(connection, chunk) : new Promise(() => {});
      return await Promise.resolve(connection);
    };
    const ports: ServerPort[] = [
      hanging,
      { name: "late", connect: () => sleep(clock, 700).then(() => late.connect()) },
      mute.port,
      { name: "stuck", connect: noWrites },
    ];
    const hub = await Hub.open({ ports, clock, connectTimeoutMs: 500 });
    assert.equal(clock.now(), 500);
    for (const { name, failure } of hub.servers()) assert.equal(failure?.code, "timeout", name);
    await sleep(clock, 300);
    assert.deepEqual([late.opened, late.closed], [1, 1]);
    assert.deepEqual([mute.closed, stuck.closed], [1, 1]);
    await hub.close();
  }));

Deno.test("Hub.open() ends its attempts with the signal, and makes none when it is aborted already", () =>
  sim(async (clock) => {
    const server = new FakeServer("s");
    const hub = await Hub.open({ ports: [hanging, server.port], clock }, abortAt(clock, 50));
    assert.equal(clock.now(), 50);
    assert.deepEqual(hub.servers().map(({ failure }) => failure?.code), ["cancelled", undefined]);
    await hub.close();
    const none = await Hub.open({ ports: [server.port], clock }, AbortSignal.abort());
    assert.deepEqual(none.servers().map(({ failure }) => failure?.code), ["cancelled"]);
    assert.equal(server.opened, 1);
    await none.close();
  }));

Deno.test("Hub.open() refuses names that would make calls ambiguous, and delays that are none", () =>
  sim(async (clock) => {
    for (const names of [["a", "a"], ["a.b"], [""]]) {
      const ports = names.map((name) => new FakeServer(name).port);
      await assert.rejects(Hub.open({ ports, clock }), RangeError);
    }
    await assert.rejects(Hub.open({ ports: [], clock, callTimeoutMs: -1 }), RangeError);
    await assert.rejects(Hub.open({ ports: [], clock, connectTimeoutMs: NaN }), RangeError);
  }));

Deno.test("Hub.open() leaves out a bad tool and keeps the others", () =>
  sim(async (clock) => {
    const page = [
      tool("find"),
      { name: "no_schema" },
      { name: "bad_schema", inputSchema: { type: "string" } },
      { name: "", inputSchema: { type: "object" } },
      { name: "long".repeat(100), inputSchema: { type: "object" } },
      "text",
      null,
      { ...tool("find") as object, description: "the second" },
      { name: "plain", inputSchema: { type: "object" }, outputSchema: { type: "nonsense" } },
    ];
    const server = new FakeServer("s", { pages: [page] });
    await using hub = await Hub.open({ ports: [server.port], clock });
    assert.deepEqual(hub.specs(["s"]).map(({ name, description }) => [name, description]), [
      ["s.find", "about find"],
      ["s.plain", ""],
    ]);
    const problems = hub.servers()[0]?.problems ?? [];
    assert.equal(problems.length, 7);
    assert.ok(problems.includes("tool find is listed twice; the first is used"));
    assert.equal((await hub.call("s.find", {}, using_(["s"]))).kind, "answered");
  }));

Deno.test("Hub.open() reads all pages of tools, and stops where there is no end of them", () =>
  sim(async (clock) => {
    const pages = Array.from({ length: 3 }, (_, i) => [tool(`t${i}`)]);
    let asked = 0;
    const endless = new FakeServer("endless", {
      on: {
        "tools/list": (id, one) => one.reply(id, { tools: [tool(`t${asked}`)], nextCursor: `${++asked}` }),
      },
    });
    const circle = new FakeServer("circle", {
      on: { "tools/list": (id, one) => one.reply(id, { tools: [tool("t")], nextCursor: "same" }) },
    });
    const ports = [new FakeServer("three", { pages }).port, endless.port, circle.port];
    await using hub = await Hub.open({ ports, clock });
    assert.deepEqual(hub.servers().map(({ tools }) => tools.length), [3, 64, 1]);
    assert.deepEqual(hub.servers().map(({ problems }) => problems.at(-1)), [
      undefined,
      "its list of tools has no end; only the first 64 pages were read",
      "its list of tools has no end; only the first 2 pages were read",
    ]);
  }));

Deno.test("Hub.close() closes everything, ends what is in flight, and may be called again", () =>
  sim(async (clock) => {
    const servers = ["a", "b"].map((name) => new FakeServer(name, { call: () => {} }));
    const hub = await Hub.open({ ports: servers.map(({ port }) => port), clock });
    const flying = hub.call("a.find", {}, using_(["a"]));
    await Promise.all([hub.close(), hub.close()]);
    await hub.close();
    assert.equal((await flying).kind, "closed");
    assert.deepEqual(servers.map(({ closed }) => closed), [1, 1]);
    assert.equal((await hub.call("a.find", {}, using_(["a"]))).kind, "closed");
    assert.deepEqual(hub.servers().map(({ state }) => state), ["down", "down"]);
  }));

Deno.test("Hub.close() closes the others when one connection cannot be closed", () =>
  sim(async (clock) => {
    const [bad, good] = [new FakeServer("bad"), new FakeServer("good")];
    const connect = () => {
      const connection = bad.connect();
      connection.close = () => Promise.reject(new Error("will not"));
      return Promise.resolve(connection);
    };
    const hub = await Hub.open({ ports: [{ name: "bad", connect }, good.port], clock });
    await hub.close();
    assert.equal(good.closed, 1);
  }));

Deno.test("Hub.specs() has what a server claims about a tool's effects, and no claim that cannot be read", () =>
  sim(async (clock) => {
    const claims: Json[] = [
      { readOnlyHint: true, idempotentHint: false, destructiveHint: true, title: "x" },
      { readOnlyHint: "yes", idempotentHint: true },
      { title: "x" },
      "read only",
      null,
    ];
    const pages = [claims.map((annotations, i) => ({ ...tool(`t${i}`) as object, annotations }))];
    await using hub = await Hub.open({ ports: [new FakeServer("s", { pages }).port], clock });
    assert.deepEqual(hub.specs(["s"]).map(({ annotations }) => annotations), [
      { readOnlyHint: true, idempotentHint: false },
      { idempotentHint: true },
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(hub.servers()[0]?.problems, []);
  }));
