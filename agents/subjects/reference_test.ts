import assert from "node:assert/strict";
import type { VirtualClock } from "../../core/mod.ts";
import { FakeServer, textResult } from "../hub/testing.ts";
import { CREW, task, written } from "../supervisor/testing.ts";
import { abortAt, FakeModel, hang, type Move, say, sim, use } from "../testing.ts";
import { reference } from "./reference.ts";
import type { SubjectWorld } from "./subject.ts";

const PLAN = say(written(task("billing"), task("policy")));
const FINE: Record<string, Move[]> = {
  planner: [PLAN],
  billing: [use("orders.find"), say("Found by billing.")],
  policy: [use("policy.find"), say("Found by policy.")],
};

/** What the servers answer bears the notes out. */
const FOUND: Readonly<Record<string, string>> = { orders: "Found by billing.", policy: "Found by policy." };

function world(clock: VirtualClock, moves: Record<string, Move[]> = {}, more: Partial<SubjectWorld> = {}) {
  const servers = ["orders", "policy", "kb"].map((name) =>
    new FakeServer(name, { call: ({ id }, server) => server.reply(id, textResult(FOUND[name] ?? "ok")) })
  );
  const input: SubjectWorld = {
    request: "What happened?",
    crew: CREW,
    model: new FakeModel({ ...FINE, ...moves }),
    ports: servers.map(({ port }) => port),
    clock,
    signal: new AbortController().signal,
    emit: () => {},
    ...more,
  };
  const open = () => servers.filter(({ opened, closed }) => opened !== closed).map(({ port }) => port.name);
  return { input, servers, open };
}

Deno.test("reference answers through its servers, and closes all of them", () =>
  sim(async (clock) => {
    const { input, servers, open } = world(clock);
    const answer = await reference.run(input);
    assert.equal(answer.status, "complete");
    assert.deepEqual(servers.map(({ opened }) => opened), [1, 1, 1]);
    assert.deepEqual(open(), []);
  }));

Deno.test("reference closes everything when it is called off in the middle, and when it was before", () =>
  sim(async (clock) => {
    const middle = world(clock, { policy: [hang] }, { signal: abortAt(clock, 100) });
    const answer = await reference.run(middle.input);
    assert.deepEqual(answer.failures.map(({ code }) => code), ["cancelled"]);
    assert.equal(clock.now(), 100);
    assert.deepEqual(middle.open(), []);
    const before = world(clock, {}, { signal: AbortSignal.abort() });
    assert.equal((await reference.run(before.input)).status, "failed");
    assert.deepEqual(before.servers.map(({ opened }) => opened), [0, 0, 0]);
  }));

Deno.test("reference closes everything when its own code throws", () =>
  sim(async (clock) => {
    for (const at of ["server", "plan", "answer"]) {
      const emit = (type: string) => {
        if (type === at) throw new Error("the emitter is broken");
      };
      const { input, open } = world(clock, {}, { emit });
      await reference.run(input).catch(() => {});
      assert.deepEqual(open(), [], at);
    }
    const crew = { ...CREW, deadlineMs: NaN };
    const { input, open } = world(clock, {}, { crew });
    await assert.rejects(reference.run(input));
    assert.deepEqual(open(), []);
  }));

Deno.test("reference tells the state of each server, with what was wrong with it", () =>
  sim(async (clock) => {
    const told: unknown[] = [];
    const emit: SubjectWorld["emit"] = (type, span, { state, code }) => {
      if (type === "server") told.push([span, state, code]);
    };
    const { input, servers } = world(clock, {}, { emit });
    const [orders, ...others] = servers.map(({ port }) => port);
    const down = { name: orders?.name ?? "", connect: () => Promise.reject(new Error("connection refused")) };
    const answer = await reference.run({ ...input, ports: [down, ...others] });
    assert.deepEqual(told, [
      ["run/servers/orders", "down", "server_down"],
      ["run/servers/policy", "up", undefined],
      ["run/servers/kb", "up", undefined],
    ]);
    assert.deepEqual(answer.failures.map(({ specialist, code }) => [specialist, code]), [["billing", "server_down"]]);
  }));
