import assert from "node:assert/strict";
import type { VirtualClock } from "../../core/mod.ts";
import { sim } from "../testing.ts";
import { Hub } from "./hub.ts";
import type { CallOutcome } from "./outcome.ts";
import { type FakeCall, type FakeOptions, FakeServer, textResult } from "./testing.ts";

const never = new AbortController().signal;
const LIMIT = 1000;

/** Opens a hub over one server called `s`. */
async function open(clock: VirtualClock, options: FakeOptions): Promise<{ hub: Hub; server: FakeServer }> {
  const server = new FakeServer("s", options);
  return { hub: await Hub.open({ ports: [server.port], clock, callTimeoutMs: LIMIT }), server };
}

const call = (hub: Hub, args: { [key: string]: string } = {}, signal = never): Promise<CallOutcome> =>
  hub.call("s.find", args, { allow: ["s"], signal, span: "x" });

/** A reply with an `id` of its own choosing, as text. */
const ok = '"result":{"content":[{"type":"text","text":"ok"}]}';
const REPLIES: Readonly<Record<string, (id: number) => string>> = {
  "cut in the middle": (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[`,
  "with NaN in it": (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"n":NaN}}`,
  "with a carriage return for a newline": (id) => `{"jsonrpc":"2.0","id":${id},${ok}}\r{"jsonrpc":"2.0","method":"x"}`,
  "after a notification without its newline": (id) =>
    `{"jsonrpc":"2.0","method":"x","params":{"b":"}{\\""}}{"jsonrpc":"2.0","id":${id},${ok}}`,
  "with garbage glued before it": (id) => `log: {"jsonrpc":"2.0","id":${id},${ok}}`,
  "with garbage glued after it": (id) => `{"jsonrpc":"2.0","id":${id},${ok}} done`,
  "that is a Python object": (id) => `{'jsonrpc': '2.0', 'id': ${id}, 'result': {'content': []}}`,
  "that is a proxy's page": () => "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body></body>\r\n</html>\r",
  "that is a page with a doctype": () => "<!DOCTYPE html><html></html>",
  "that is the name of an HTTP failure": () => "Internal Server Error",
  "that is a status line": () => "HTTP/1.1 503 Service Unavailable",
  "printed over several lines": (id) => `{\n  "jsonrpc": "2.0",\n  "id": ${id},\n  "result": {}\n}`,
  "with result and error": (id) => `{"jsonrpc":"2.0","id":${id},${ok},"error":{"code":1,"message":"no"}}`,
  "with neither": (id) => `{"jsonrpc":"2.0","id":${id}}`,
  "with one more member": (id) => `{"jsonrpc":"2.0","id":${id},${ok},"trace":"abc"}`,
  "whose result is null": (id) => `{"jsonrpc":"2.0","id":${id},"result":null}`,
  "whose result is a list": (id) => `{"jsonrpc":"2.0","id":${id},"result":[]}`,
  "whose error has a string for a code": (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":"E1","message":"no"}}`,
  "whose error has no message": (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-1}}`,
  "of JSON-RPC 1.0": (id) => `{"jsonrpc":"1.0","id":${id},${ok}}`,
  "that does not say jsonrpc": (id) => `{"id":${id},${ok}}`,
  "without an id": () => `{"jsonrpc":"2.0",${ok}}`,
  "whose id is null": () => `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`,
  "whose id is a fraction": (id) => `{"jsonrpc":"2.0","id":${id}.5,${ok}}`,
  "whose content is null": (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":null}}`,
  "whose text is a number": (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":5}]}}`,
};

for (const [what, reply] of Object.entries(REPLIES)) {
  Deno.test(`Hub.call() ends as malformed at once for a reply ${what}`, () =>
    sim(async (clock) => {
      const { hub } = await open(clock, { call: ({ id }, server) => server.raw(reply(id)) });
      const outcome = await call(hub);
      assert.equal(outcome.kind, "malformed", outcome.text);
      assert.equal(outcome.code, "malformed_result");
      assert.equal(clock.now(), 0);
      await hub.close();
    }));
}

Deno.test("Hub.call() takes a reply that comes in a batch, or with its id in quotes, or after a byte order mark", () =>
  sim(async (clock) => {
    const shapes: ((id: number) => string)[] = [
      (id) => `[{"jsonrpc":"2.0","id":${id},${ok}}]`,
      (id) => `[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":${id},${ok}},{"odd":1}]`,
      (id) => `{"jsonrpc":"2.0","id":"${id}",${ok}}`,
      (id) => `\ufeff{"jsonrpc":"2.0","id":${id},${ok}}\r`,
    ];
    const { hub } = await open(clock, { call: ({ id }, server) => server.raw(shapes.shift()?.(id) ?? "") });
    while (shapes.length > 0) assert.deepEqual(await call(hub), { kind: "answered", text: "ok" });
    await hub.close();
  }));

Deno.test("Hub.call() is not ended by what is no reply: logs, banners, odd notifications", () =>
  sim(async (clock) => {
    const noise = [
      "Starting Time MCP server",
      "",
      "42",
      '"text"',
      "null",
      "[]",
      '{"level":30,"msg":"listening"}',
      '{"level":50,"id":1,"error":"disk full","method":"GET"}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":"not an object"}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{},"extra":1}',
      "{ level: 'info', result: 1 }",
      "{'level': 'info', 'result': 1}",
      "[info] cache miss, asking the database",
      "error: 502 Bad Gateway from upstream, trying again",
      "404",
      "Error",
      "<p>ready</p>",
      // A server that logs what it gets.
      '<- {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}',
      '<- {"method":"tools/call","params":{"result":1},"jsonrpc":"2.0","id":2}',
    ];
    const { hub } = await open(clock, {
      call: ({ id }, server) => {
        for (const line of noise) server.raw(line);
        server.reply(id, textResult("ok"));
      },
    });
    assert.deepEqual(await call(hub), { kind: "answered", text: "ok" });
    await hub.close();
  }));

Deno.test("Hub.open() is not stopped by a banner before the first reply", () =>
  sim(async (clock) => {
    const serverInfo = { name: "s", version: "1" };
    const { hub } = await open(clock, {
      on: {
        initialize: (id, server) => {
          server.raw("Starting up…");
          server.raw('{"level":30,"msg":"ready"}');
          server.reply(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo });
        },
      },
    });
    assert.equal(hub.servers()[0]?.state, "up");
    await hub.close();
  }));

Deno.test("Hub.call() blames a proxy's page on nobody where several calls wait", () =>
  sim(async (clock) => {
    const kinds = await threeCalls(clock, (calls, server) => {
      server.raw("<html><title>502 Bad Gateway</title></html>");
      for (const { id } of calls) server.reply(id, textResult("ok"));
    });
    assert.deepEqual(kinds, ["answered", "answered", "answered"]);
  }));

Deno.test("Hub.call() finds the id of a broken reply at its very end", () =>
  sim(async (clock) => {
    const kinds = await threeCalls(clock, ([a, b, c], server) => {
      server.raw(
        `log: {"result":{"content":[{"type":"text","text":"${"x".repeat(5000)}"}]},"jsonrpc":"2.0","id":${b?.id}}`,
      );
      for (const one of [a, c]) server.reply(one?.id ?? -1, textResult("ok"));
    });
    assert.deepEqual(kinds, ["answered", "malformed", "answered"]);
  }));

Deno.test("Hub.call() waits for none of two replies of which the first came without its newline", () =>
  sim(async (clock) => {
    const kinds = await threeCalls(clock, ([a, b, c], server) => {
      server.raw(`{"jsonrpc":"2.0","id":${a?.id},${ok}}`, "");
      server.reply(b?.id ?? -1, textResult("}{"));
      server.raw(`{"jsonrpc":"2.0","id":${c?.id}}{"jsonrpc":"2.0","method":"x"}`);
    });
    assert.deepEqual(kinds, ["malformed", "malformed", "malformed"]);
    assert.equal(clock.now(), 0);
  }));

/** Three calls at once; the server answers when it has them all. */
async function threeCalls(
  clock: VirtualClock,
  answer: (calls: readonly FakeCall[], server: FakeServer) => void,
): Promise<string[]> {
  const { hub } = await open(clock, {
    call: (_, server) => server.calls.length === 3 && answer(server.calls, server),
  });
  const outcomes = await Promise.all([call(hub), call(hub), call(hub)]);
  await hub.close();
  return outcomes.map(({ kind }) => kind);
}

Deno.test("Hub.call() blames a broken reply on the call that it was meant for, of several in flight", () =>
  sim(async (clock) => {
    for (const broken of ['{"jsonrpc":"2.0","id":ID}', 'log: {"result":{"id":1},"jsonrpc":"2.0","id":ID}']) {
      const kinds = await threeCalls(clock, ([a, b, c], server) => {
        server.raw(broken.replace("ID", String(b?.id)));
        server.reply(a?.id ?? -1, textResult("ok"));
        server.reply(c?.id ?? -1, textResult("ok"));
      });
      assert.deepEqual(kinds, ["answered", "malformed", "answered"]);
    }
    assert.equal(clock.now(), 0);
  }));

Deno.test("Hub.call() blames nobody for a broken reply that says of none of several calls that it is theirs", () =>
  sim(async (clock) => {
    const kinds = await threeCalls(clock, ([a, b], server) => {
      server.raw('{"jsonrpc":"2.0","result":{}}');
      server.raw('{"jsonrpc":"2.0","id":true,"result":{}}');
      server.raw('{"jsonrpc":"2.0","id":[1],"result":{}}');
      server.reply(a?.id ?? -1, textResult("ok"));
      server.reply(b?.id ?? -1, textResult("ok"));
    });
    assert.deepEqual(kinds, ["answered", "answered", "timeout"]);
    assert.equal(clock.now(), LIMIT);
  }));

Deno.test("Hub.call() does not pay for a call before it: a late broken reply is nobody's", () =>
  sim(async (clock) => {
    const { hub, server } = await open(clock, { call: () => {} });
    assert.equal((await call(hub)).kind, "timeout");
    const second = call(hub);
    await Promise.resolve();
    const [first, next] = server.calls;
    // With the first call's id, and without any: it may be either's.
    server.raw(`{"jsonrpc":"2.0","id":${first?.id},"result":null}`);
    server.reply(next?.id ?? -1, textResult("ok"));
    assert.equal((await second).kind, "answered");

    const third = call(hub);
    const fourth = call(hub, {}, AbortSignal.abort(new Error("no")));
    assert.equal((await fourth).kind, "aborted");
    await Promise.resolve();
    server.raw('{"jsonrpc":"2.0","result":null}');
    assert.equal((await third).kind, "malformed", "the fourth was never sent, so only the third can be meant");
    await hub.close();
  }));

Deno.test("Hub.call() waits on where a broken reply without an id may be that of a call that was called off", () =>
  sim(async (clock) => {
    const { hub, server } = await open(clock, { call: () => {} });
    assert.equal((await call(hub)).kind, "timeout");
    const second = call(hub);
    server.raw('{"jsonrpc":"2.0","result":null}');
    await Promise.resolve();
    server.reply(server.calls[1]?.id ?? -1, textResult("ok"));
    assert.equal((await second).kind, "answered");
    await hub.close();
  }));
