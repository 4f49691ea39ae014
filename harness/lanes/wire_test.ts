import assert from "node:assert/strict";
import { Hub, reference } from "../../agents/mod.ts";
import { childPids } from "../../core/mod.ts";
import type { WorldEvent } from "../../servers/mod.ts";
import { cellSpec, notGreen, runOne } from "../testing/cells.ts";
import { subject, thrower } from "../testing/subjects.ts";
import type { WorldSpec } from "./lane.ts";
import { wireLane } from "./wire.ts";

const spec = (reply: string, more: Partial<WorldSpec> = {}): WorldSpec => ({
  servers: ["kb"],
  data: { kb: { articles: [{ id: "KB-1", title: reply, body: reply, reference: reply }] } },
  faults: [],
  seed: "0",
  shuffle: false,
  observer: () => {},
  ...more,
});

const signal = new AbortController().signal;

Deno.test("wireLane() gives one process to one cell after another, each with its own data", async () => {
  await using lane = wireLane();
  const pids: number[][] = [];
  for (const reply of ["alpha", "beta"]) {
    const world = await lane.open(spec(reply));
    pids.push(childPids());
    await world.run(async () => {
      await using hub = await Hub.open({ ports: world.ports, clock: world.clock });
      const { text } = await hub.call("kb.search_kb", { query: reply }, { allow: ["kb"], signal, span: "run/x" });
      assert.match(text, new RegExp(reply));
      const other = reply === "alpha" ? "beta" : "alpha";
      const missing = await hub.call("kb.search_kb", { query: other }, { allow: ["kb"], signal, span: "run/x" });
      assert.match(missing.text, /"total":0/);
    });
  }
  assert.deepEqual(pids[0], pids[1], "the process is the same one");
});

Deno.test("wireLane() carries nothing from a cell that was cut off into the next", async () => {
  await using lane = wireLane();
  const cut = await lane.open(spec("alpha"));
  const [pid] = childPids();
  let old: Awaited<ReturnType<(typeof cut.ports)[number]["connect"]>> | undefined;
  await cut.run(async () => {
    const connection = await cut.ports[0]?.connect();
    assert.ok(connection);
    old = connection;
    connection.open({ bytes() {}, closed() {} });
    const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    const call = { method: "tools/call", params: { name: "search_kb", arguments: { query: "alpha" } } };
    const init = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } };
    // Whole requests that nobody waits for, then half a line.
    for (
      const text of [
        line({ id: 0, method: "initialize", params: init }),
        line({ id: 1, ...call }),
        line({ id: 2, ...call }),
        '{"jsonrpc":"2.0","id":3,"method":"to',
      ]
    ) await connection.write(new TextEncoder().encode(text));
  });
  const seen: WorldEvent[] = [];
  const next = await lane.open(spec("beta", { observer: (event) => seen.push(event) }));
  assert.deepEqual(childPids(), [pid], "the process is the same one");
  await next.run(async () => {
    await using hub = await Hub.open({ ports: next.ports, clock: next.clock });
    // Whoever was cut off still holds its end.
    await assert.rejects(async () => await old?.write(new TextEncoder().encode("{}\n")), { name: "ClosedError" });
    await old?.close();
    await assert.rejects(async () => await cut.ports[0]?.connect());
    for (let i = 0; i < 3; i++) {
      const { text } = await hub.call("kb.search_kb", { query: "beta" }, { allow: ["kb"], signal, span: "run/x" });
      assert.match(text, /beta/);
      assert.doesNotMatch(text, /alpha/);
    }
  });
  assert.deepEqual(seen.filter(({ type }) => type === "bad_line"), []);
  assert.deepEqual(seen.map(({ type }) => type), [
    "connect",
    ..."request reply request reply request reply".split(" "),
    "close",
  ]);
});

Deno.test("wireLane() puts another in the place of a process that has died, in a cell or between two", async () => {
  await using lane = wireLane();
  const [first, second] = [await lane.open(spec("alpha")), childPids()[0] ?? 0];
  await first.run(async () => {
    await using hub = await Hub.open({ ports: first.ports, clock: first.clock });
    Deno.kill(second, "SIGKILL");
    const { kind } = await hub.call("kb.search_kb", { query: "alpha" }, { allow: ["kb"], signal, span: "run/x" });
    assert.equal(kind, "closed");
  });
  const next = await lane.open(spec("beta"));
  const [third = 0] = childPids();
  assert.notEqual(third, second);
  await next.run(() => Promise.resolve());
  Deno.kill(third, "SIGKILL");
  const last = await lane.open(spec("gamma"));
  await last.run(async () => {
    await using hub = await Hub.open({ ports: last.ports, clock: last.clock });
    assert.deepEqual(hub.servers().map(({ state }) => state), ["up"]);
  });
});

Deno.test("wireLane() gives back the processes of a world that could not be made", async () => {
  await using lane = wireLane();
  await assert.rejects(lane.open(spec("alpha", { faults: [{ fault: "no_such_fault", at: "kb" }] })), RangeError);
  const [pid] = childPids();
  const world = await lane.open(spec("beta"));
  assert.deepEqual(childPids(), [pid]);
  await world.run(() => Promise.resolve());
  await assert.rejects(lane.open(spec("x", { data: { kb: { articles: 7 } } })), {
    name: "FixtureError",
    message: /articles/,
  });
  await assert.rejects(lane.open(spec("x", { servers: ["kb", "nosuch"] })), {
    name: "FixtureError",
    message: /nosuch ended: .*unknown fixture "nosuch"/,
  });
});

Deno.test("wireLane() starts nothing once it is called off or closed, and ends what is under way", async () => {
  const lane = wireLane();
  await assert.rejects(lane.open(spec("x", { signal: AbortSignal.abort(new Error("enough")) })), { message: "enough" });
  assert.deepEqual(childPids(), []);
  const opening = lane.open(spec("x"));
  const closed = lane[Symbol.asyncDispose]();
  // It may have been ready, or have ended before it was.
  await assert.rejects(opening, { message: /^(the lane is closed$|kb ended)/ });
  await closed;
  assert.deepEqual(childPids(), []);
  await assert.rejects(lane.open(spec("x")), { message: "the lane is closed" });
  assert.deepEqual(childPids(), []);
});

Deno.test("wireLane() lets a second connection to a server fail, and not mix with the first", async () => {
  await using lane = wireLane();
  const world = await lane.open(spec("alpha"));
  await world.run(async () => {
    await using hub = await Hub.open({ ports: world.ports, clock: world.clock });
    await using other = await Hub.open({ ports: world.ports, clock: world.clock });
    assert.deepEqual(other.servers().map(({ failure }) => failure?.detail), ["kb is leased already"]);
    const { kind } = await hub.call("kb.search_kb", { query: "alpha" }, { allow: ["kb"], signal, span: "run/x" });
    assert.equal(kind, "answered");
  });
});

Deno.test("wireLane() leaves no process behind, after a cell that ended well, one that crashed and one that was cut off", async () => {
  let pids: number[] = [];
  {
    await using lane = wireLane();
    assert.deepEqual(notGreen(await runOne(cellSpec("healthy-desk", { lane: "wire", subject: reference }), lane)), []);
    pids = childPids();
    assert.equal(pids.length, 3);
    const crashed = await runOne(cellSpec("healthy-desk", { lane: "wire", subject: thrower }), lane);
    assert.equal(crashed.scorecard.outcome, "fail");
    const off = new AbortController();
    const cut = subject("cut", async (world) => {
      await Hub.open({ ports: world.ports, clock: world.clock });
      off.abort(new Error("enough"));
      return await new Promise<never>(() => {});
    });
    await runOne(cellSpec("healthy-desk", { lane: "wire", subject: cut, signal: off.signal }), lane);
    assert.deepEqual(notGreen(await runOne(cellSpec("healthy-desk", { lane: "wire" }), lane)), []);
    assert.deepEqual(childPids(), pids, "the same three served all of them");
  }
  assert.deepEqual(childPids(), []);
  for (const pid of pids) assert.throws(() => Deno.kill(pid, "SIGCONT"), Deno.errors.NotFound);
});
