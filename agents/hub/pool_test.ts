import assert from "node:assert/strict";
import { sleep } from "../../core/mod.ts";
import { sim } from "../testing.ts";
import { Hub, type SessionPool } from "./hub.ts";
import type { Session } from "./session.ts";
import { type FakeOptions, FakeServer, textResult } from "./testing.ts";

const never = new AbortController().signal;
const call = (hub: Hub, timeoutMs = 1000) =>
  hub.call("s.find", {}, { allow: ["s"], signal: never, span: "x", timeoutMs });

/** The plainest pool: whoever is put in is taken out last in, first out. */
function pool(): SessionPool & { readonly idle: Session[] } {
  const idle: Session[] = [];
  return { idle, take: () => idle.pop(), put: (_, session) => void idle.push(session) };
}

function world(options: FakeOptions = {}) {
  return { server: new FakeServer("s", options), pool: pool() };
}

Deno.test("SessionPool lets the next hub use a session without connecting again", () =>
  sim(async (clock) => {
    const { server, pool } = world();
    for (let i = 0; i < 3; i++) {
      await using hub = await Hub.open({ ports: [server.port], clock, pool });
      assert.equal((await call(hub)).kind, "answered");
      assert.deepEqual(hub.specs(["s"]).map(({ name }) => name), ["s.find"]);
    }
    assert.deepEqual([server.opened, server.closed, pool.idle.length], [1, 0, 1]);
    await pool.idle[0]?.close();
    assert.equal(server.closed, 1);
  }));

Deno.test("SessionPool never gets a session with something in flight, wanted or not", () =>
  sim(async (clock) => {
    const { server, pool } = world({ call: () => {} });
    const hub = await Hub.open({ ports: [server.port], clock, pool });
    assert.equal((await call(hub, 100)).kind, "timeout");
    await hub.close();
    const second = await Hub.open({ ports: [server.port], clock, pool });
    const flying = call(second);
    await second.close();
    assert.equal((await flying).kind, "closed");
    assert.deepEqual([pool.idle.length, server.opened, server.closed], [0, 2, 2]);
  }));

Deno.test("SessionPool gets a session whose late reply has come after all", () =>
  sim(async (clock) => {
    const { server, pool } = world({
      call: async ({ id }, one) => {
        await sleep(clock, 200);
        one.reply(id, textResult("late"));
      },
    });
    const hub = await Hub.open({ ports: [server.port], clock, pool });
    assert.equal((await call(hub, 100)).kind, "timeout");
    await sleep(clock, 200);
    await hub.close();
    assert.deepEqual([pool.idle.length, server.closed], [1, 0]);
    await pool.idle[0]?.close();
  }));

Deno.test("SessionPool may hold a session that died there: it is closed, and a new one is made", () =>
  sim(async (clock) => {
    const { server, pool } = world();
    await (await Hub.open({ ports: [server.port], clock, pool })).close();
    server.die();
    await sleep(clock, 1);
    const hub = await Hub.open({ ports: [server.port], clock, pool });
    assert.equal((await call(hub)).kind, "answered");
    assert.equal(server.opened, 2);
    server.die();
    await sleep(clock, 1);
    await hub.close();
    assert.equal(pool.idle.length, 0, "a dead session is not put back");
  }));
