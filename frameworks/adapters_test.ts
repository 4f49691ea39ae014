/** What must hold for every adapter, so that a red cell is the framework's and not the adapter's. */
import assert from "node:assert/strict";
import type { Subject, SubjectWorld } from "../agents/mod.ts";
import { FakeServer, textResult } from "../agents/hub/testing.ts";
import { CREW, task, written } from "../agents/supervisor/testing.ts";
import { FakeModel, type Move, say, use } from "../agents/testing.ts";
import { RealClock } from "../core/mod.ts";
import { FRAMEWORKS } from "../harness/subjects/frameworks.ts";

/** Servers that answer every call, a model that makes these moves for billing, and everything that it was asked. */
function world(billing: Move[]) {
  const servers = CREW.servers.map((name) =>
    new FakeServer(name, { call: ({ id }, server) => server.reply(id, textResult(`${name} says so`)) })
  );
  const model = new FakeModel({ planner: [say(written(task("billing")))], billing });
  const input: SubjectWorld = {
    request: "What happened?",
    crew: CREW,
    model,
    ports: servers.map(({ port }) => port),
    clock: new RealClock(),
    signal: new AbortController().signal,
    emit: () => {},
  };
  return { input, servers, requests: model.requests };
}

for (const [name, file, summary] of FRAMEWORKS) {
  const load = async () => {
    const { subject }: { readonly subject: Subject } = await import(new URL(file, import.meta.url).href);
    return subject;
  };

  Deno.test(`${name} is called and described as in the list of subjects, and shows no more than it says`, async () => {
    const subject = await load();
    assert.deepEqual([subject.name, subject.summary, subject.shows], [name, summary, ["agents"]]);
  });

  Deno.test(`${name} lets a specialist use its own tools, passes on what it reports, and closes everything`, async () => {
    const moves = [use(["orders.find", { id: "7" }]), say("Found by billing.")];
    const { input, servers, requests } = world(moves);
    const { text } = await (await load()).run(input);
    assert.equal(text, "Found by billing.");
    const [first, second] = requests.filter(({ agent }) => agent === "billing");
    assert.deepEqual(first?.tools.map((tool) => tool.name), ["orders.find"]);
    assert.deepEqual(second?.messages.slice(-2).map((message) => [message.role, message.text]), [
      ["assistant", ""],
      ["tool", "orders says so"],
    ]);
    assert.deepEqual(servers.map(({ calls }) => calls.map(({ args }) => args)), [[{ id: "7" }], [], []]);
    assert.ok(servers.every(({ opened, closed }) => opened === 1 && closed === 1));
  });

  Deno.test(`${name} does not carry out a call whose arguments are no JSON`, async () => {
    const [call] = use("orders.find").calls;
    assert.ok(call !== undefined);
    const cut: Move = { ...use("orders.find"), calls: [{ ...call, rawArguments: '{"id": "7' }] };
    const { input, servers, requests } = world([cut, say("Nothing found.")]);
    // Some end the run there, which is no worse.
    await (await load()).run(input).catch(() => {});
    assert.ok(requests.some(({ agent }) => agent === "billing"));
    assert.deepEqual(servers.map(({ calls }) => calls.length), [0, 0, 0]);
  });

  Deno.test(`${name} does not carry out a call of a tool that is not its specialist's`, async () => {
    const { input, servers, requests } = world([use("kb.find"), say("Nothing found.")]);
    await (await load()).run(input).catch(() => {});
    assert.ok(requests.some(({ agent }) => agent === "billing"));
    assert.deepEqual(servers.map(({ calls }) => calls.length), [0, 0, 0]);
  });
}
