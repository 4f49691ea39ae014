import { PlainHub } from "../testing.ts";
import { call, deno, gone, HELLO, lines, ODD, ORDERS, pathOf, proxy, run, start, tempFolder } from "./testing.ts";
import assert from "node:assert/strict";

const ODD_TALK = lines(...HELLO, call(1, "notify"), call(2, "ask")) +
  '{"jsonrpc":"2.0","id":"s-1","result":{"é":1}}\n' +
  lines(call(3, "garbage"), { id: 4, method: "ping" }) + '{ "method" : "x" }\r\n' +
  lines(call(5, "env", { name: "PROXY_TEST" }));
const ORDERS_TALK = lines(
  ...HELLO,
  { id: 1, method: "tools/list" },
  call(2, "find_order", { order_id: "12345" }),
  call(3, "find_order", { order_id: "none" }),
);
const TALKS = [["the odd server", ODD, ODD_TALK], ["a fixture", ORDERS, ORDERS_TALK]] as const;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

for (const [name, server, talk] of TALKS) {
  Deno.test(`proxy without a fault is transparent around ${name}: the same bytes, the same end`, async () => {
    const direct = await run(server, talk);
    assert.deepEqual(await run(proxy(["--", ...server]), talk), direct);
    assert.ok(direct.out.length > 200);
  });

  Deno.test(`proxy whose faults do not strike, or that records, is as transparent around ${name}`, async () => {
    await using folder = await tempFolder();
    const direct = await run(server, talk);
    const record = `${folder.path}/r.jsonl`;
    const recorded = await run(proxy(["--record", record, "--", ...server], [`--allow-write=${record}`]), talk);
    assert.deepEqual(recorded, direct);
    const spared = await run(proxy(["--fault", "tool_error:nobody", "--", ...server]), talk);
    assert.deepEqual(spared, { ...direct, err: `${direct.err}proxy: never fired: tool_error at server.nobody\n` });
  });
}

for (const [way, options] of [["straight", []], ["through the injector", ["--fault", "tool_error:nobody"]]] as const) {
  Deno.test(`proxy, ${way}, passes on the code with which the server ends by itself`, async () => {
    const hub = new PlainHub(start(proxy([...options, "--", ...ODD])));
    assert.match(JSON.stringify(await hub.call("exit", { code: 7 })), /bye/);
    await hub.closed;
    await hub.close();
    const child = start(proxy([...options, "--", ...ODD]));
    new PlainHub(child).call("exit", { code: 7 }).catch(() => {});
    assert.equal((await child.exited).code, 7);
    await child.close();
    assert.match(child.stderrTail, /^odd: ready\n/);
  });

  Deno.test(`proxy, ${way}, ends a server that ignores the end of stdin and SIGTERM, and so is gone itself`, async () => {
    const child = start(proxy([...options, "--wait", "0s", "--", ...ODD, "--stubborn"]));
    const hub = new PlainHub(child);
    await hub.call("notify", {});
    const pid = pidIn(hub.received);
    await hub.close();
    await gone(pid);
    assert.equal((await child.exited).code, 137);
  });

  Deno.test(`proxy, ${way}, waits for the answers of a server that begins long after stdin has ended`, async () => {
    // Longer than any client waits for an end; however much longer it takes does not matter.
    const late = ["sh", "-c", 'sleep 2; exec "$0" "$@"', ...ORDERS];
    const { code, out } = await run(proxy([...options, "--", ...late]), ORDERS_TALK);
    assert.deepEqual([code, text(out)], [0, text((await run(ORDERS, ORDERS_TALK)).out)]);
  });

  Deno.test(`proxy, ${way}, waits no longer than --wait for a server that neither answers nor ends`, async () => {
    const { code, out } = await run(proxy([...options, "--wait", "50ms", "--", "sleep", "1000"]), lines(call(1, "x")));
    assert.deepEqual([code, text(out)], [143, ""]);
  });

  Deno.test(`proxy, ${way}, ends on SIGTERM while it waits for a server that ignores the end of stdin`, async () => {
    const [command = "", ...args] = proxy([...options, "--wait", "10m", "--", ...ODD, "--stubborn"]);
    const child = new Deno.Command(command, { args, stdin: "null", stdout: "piped", stderr: "null" }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    while (!said.endsWith("\n")) said += (await reader.read()).value ?? assert.fail("the server said nothing");
    child.kill("SIGTERM");
    assert.equal((await child.status).code, 130);
    await gone(pidIn([JSON.parse(said)]));
    while (!(await reader.read()).done);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.test(`proxy, ${way}, ends on ${signal} with its server`, async () => {
      const child = start(proxy([...options, "--", ...ODD, "--stubborn"]));
      const hub = new PlainHub(child);
      await hub.call("notify", {});
      const pid = pidIn(hub.received);
      // To the proxy alone: its server has a group of its own.
      Deno.kill(child.pid, signal);
      assert.deepEqual(await child.exited, { code: 130, signal: null });
      await gone(pid);
      await hub.close();
    });
  }

  Deno.test(`proxy, ${way}, says in one line that there is no such command, and exits with 2`, async () => {
    const { code, out, err } = await run(proxy([...options, "--", "no-such-command-here"]), "");
    assert.deepEqual([code, text(out)], [2, ""]);
    assert.equal(err.split("\n")[0], 'brownout: there is no command "no-such-command-here"');
  });

  Deno.test(`proxy, ${way}, passes half a line at the server's end`, async () => {
    const { out } = await run(proxy([...options, "--", ...ODD]), lines(call(1, "half")));
    assert.equal(text(out), '{"jsonrpc":"2.0","id":');
  });
}

Deno.test("proxy gives its server what comes after --, dashes and all", async () => {
  const print = deno(pathOf("./testdata/print_args.ts"), "-A", "--fault", "x", "--", "--name=y", "");
  assert.equal(
    text((await run(proxy(["--name", "z", "--", ...print]), "")).out),
    '["-A","--fault","x","--","--name=y",""]\n',
  );
});

Deno.test("proxy applies faults of the command line, in their order, on their schedule", async () => {
  const talk = lines(...HELLO, ...[1, 2].map((id) => call(id, "find_order", { order_id: "12345" })));
  const faults = ["--fault", 'tool_error:find_order,first=1,message="no, not now"'];
  const { code, out, err } = await run(proxy([...faults, "--", ...ORDERS]), talk);
  assert.deepEqual([code, err], [0, ""]);
  const [, first, second] = text(out).trim().split("\n").map((line) => JSON.parse(line).result);
  assert.deepEqual(first, { content: [{ type: "text", text: "no, not now" }], isError: true });
  assert.match(JSON.stringify(second), /ORD-REF-7731/);
});

Deno.test("proxy applies a file of faults, and records what really happened, without what looks like a secret", async () => {
  await using folder = await tempFolder();
  const [file, record] = [`${folder.path}/f.yaml`, `${folder.path}/r.jsonl`];
  await Deno.writeTextFile(file, "faults:\n  - { fault: tool_error, at: orders.find_order, message: down }\n");
  const key = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
  const { out } = await run(
    proxy(["--faults", "f.yaml", "--name", "orders", "--record", record, "--", ...ORDERS], [
      `--allow-write=${record}`,
      "--allow-env=LOG_TOKENS,LOG_STREAM",
    ]),
    lines(...HELLO, call(1, "find_order", { order_id: key })),
    folder.path,
  );
  assert.match(text(out), /"text":"down"/);
  const written = await Deno.readTextFile(record);
  assert.doesNotMatch(written, /abcdefghij/);
  const events = written.trim().split("\n").map((line) => JSON.parse(line));
  const types = events.map(({ type }) => type);
  // A process ends and its pipe ends, in either order.
  assert.deepEqual(types.slice(0, 5), ["start", "connect", "request", "fault", "reply"]);
  assert.deepEqual(types.slice(5).sort(), ["close", "exit"]);
  assert.ok(events.every(({ t }) => Number.isInteger(t) && t >= 0));
  const exit = events.find(({ type }) => type === "exit");
  assert.deepEqual(exit, {
    t: exit.t,
    type: "exit",
    server: "orders",
    code: 0,
    signal: null,
    stderr: "",
  });
});

Deno.test("proxy exits with 1 when a fault ends the connection, or lets none come about", async () => {
  const child = start(proxy(["--fault", "crash:notify", "--", ...ODD]));
  const hub = new PlainHub(child);
  hub.call("notify", {}).catch(() => {});
  await hub.closed;
  assert.equal((await child.exited).code, 1);
  await hub.close();
  assert.match(child.stderrTail, /proxy: a fault has ended the connection\n/);
  const { code, out, err } = await run(proxy(["--fault", "server_down", "--", ...ODD]), "");
  assert.deepEqual([code, text(out), err], [1, "", "proxy: no connection: server: connection refused\n"]);
});

Deno.test("proxy exits with 1 when a fault ends the connection after stdin has ended", async () => {
  const { code, err } = await run(proxy(["--fault", "crash:notify", "--", ...ODD]), lines(call(1, "notify")));
  assert.deepEqual([code, err.split("\n").at(-2)], [1, "proxy: a fault has ended the connection"]);
});

const [TOLD, ANSWER] = [{ method: "notifications/message", params: {} }, { id: 1, result: { content: [] } }];
// Who ends first, and what the proxy hears together, are matters of timing that these servers settle.
const CUT_OFF: readonly (readonly [name: string, script: string])[] = [
  ["first says anything with the answer", 'read -r x; printf %s "$0$1"; cat'],
  ["has spoken long before the answer", 'read -r x; printf %s "$0"; cat; printf %s "$1"'],
  ["has ended by itself with the answer", 'cat > /dev/null; printf %s "$1"'],
  ["has ended by itself with a code of its own", 'cat > /dev/null; printf %s "$1"; exit 3'],
];
for (const [name, script] of CUT_OFF) {
  Deno.test(`proxy exits with 1 when a fault ends the connection to a server that ${name}`, async () => {
    const server = ["sh", "-c", script, lines(TOLD), lines(ANSWER)];
    const { code, err } = await run(proxy(["--fault", "crash:notify", "--", ...server]), lines(call(1, "notify")));
    assert.deepEqual([code, err], [1, "proxy: a fault has ended the connection\n"]);
  });
}

Deno.test("proxy passes on the code of a server that has ended by itself, whatever a fault has done to its answer", async () => {
  const server = ["sh", "-c", 'cat > /dev/null; printf %s "$0"', lines(ANSWER)];
  const { code, err } = await run(proxy(["--fault", "tool_error:x", "--", ...server]), lines(call(1, "x")));
  assert.deepEqual([code, err], [0, ""]);
});

for (const fault of ["latency:find_order,ms=300", "slow_drip:find_order,size=100,pause=20", "slow_close,ms=1"]) {
  Deno.test(`proxy passes on all that ${fault} holds back, though stdin and the server have ended`, async () => {
    const { code, out } = await run(proxy(["--fault", fault, "--", ...ORDERS]), ORDERS_TALK);
    const answers = text(out).trim().split("\n").map((line) => JSON.parse(line).id);
    assert.deepEqual([code, answers.sort()], [0, [0, 1, 2, 3]]);
  });
}

Deno.test("proxy never answers for a black hole, and still ends when stdin does", async () => {
  const talk = lines(call(1, "notify"), { id: 2, method: "ping" });
  const { code, out } = await run(proxy(["--fault", "black_hole:notify", "--", ...ODD]), talk);
  assert.deepEqual([code, text(out)], [0, '{"jsonrpc":"2.0","id":2,"result":{}}\nno newline at the end']);
});

function pidIn(received: readonly unknown[]): number {
  const [, pid] = JSON.stringify(received).match(/"pid":(\d+)/) ?? [];
  return Number(pid ?? assert.fail("the server did not say its process id"));
}
