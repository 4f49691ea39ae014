import assert from "node:assert/strict";
import { main } from "./main.ts";
import type { CliIo } from "./io.ts";

/** Runs the command until it has said where it listens, lets `use` talk to it, and interrupts it. */
async function running(
  args: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<{ code: number; out: string; err: string }> {
  const interrupt = new AbortController();
  let [out, err] = ["", ""];
  const { promise, resolve } = Promise.withResolvers<string>();
  const io: CliIo = {
    out: (text) => out += text,
    err: (text) => {
      err += text;
      const url = /ANTHROPIC_BASE_URL=(\S+)/.exec(err)?.[1];
      if (url !== undefined) resolve(url);
    },
    isTerminal: false,
    columns: 80,
    cwd: Deno.cwd(),
    env: () => undefined,
    signal: interrupt.signal,
  };
  const ended = main(["endpoint", ...args], io);
  const url = await Promise.race([promise, ended.then(() => undefined)]);
  try {
    if (url !== undefined) await use(url);
  } finally {
    interrupt.abort(new Error("enough"));
  }
  return { code: await ended, out, err };
}

async function ask(
  url: string,
  agent: string,
  before: readonly object[] = [],
): Promise<{ status: number; body: string }> {
  const response = await fetch(`${url}/agents/${agent}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer not-a-real-key-0123456789" },
    body: JSON.stringify({ model: "any", messages: [{ role: "user", content: "What now?" }, ...before] }),
  });
  return { status: response.status, body: await response.text() };
}

Deno.test("bench endpoint plays a scenario's script, agent by agent, until it is interrupted", async () => {
  const { code, out } = await running(["--scenario", "healthy-desk"], async (url) => {
    assert.match((await ask(url, "planner")).body, /Establish what was charged/);
    assert.match((await ask(url, "comms")).body, /search_kb/);
  });
  assert.equal(code, 130);
  const events = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(events.map(({ type, agent }) => `${type} ${agent}`), [
    "model_request planner",
    "model_reply planner",
    "model_request comms",
    "model_reply comms",
  ]);
  assert.ok(!out.includes("not-a-real-key"), "no key is in the record");
});

Deno.test("bench endpoint begins a script anew that is used up, with a conversation that begins, and says so to others", async () => {
  await running(["--scenario", "healthy-desk"], async (url) => {
    const call = { id: "c", type: "function", function: { name: "kb__search_kb", arguments: "{}" } };
    const said = { role: "assistant", content: null, tool_calls: [call] };
    const result = { role: "tool", tool_call_id: "c", content: "nothing" };
    const first = [await ask(url, "comms"), await ask(url, "comms", [said, result])];
    const later = await ask(url, "comms", [said, result]);
    assert.equal(later.status, 500);
    assert.match(later.body, /has no turn 3 for comms: this conversation is longer than the script; a new one begins/);
    const second = [await ask(url, "comms"), await ask(url, "comms", [said, result])];
    const plain = (replies: typeof first) =>
      replies.map(({ status, body }) => [status, JSON.parse(body).choices[0].message]);
    assert.deepEqual(plain(second), plain(first));
    for (let n = 0; n < 3; n++) assert.match((await ask(url, "planner")).body, /Establish what was charged/);
  });
});

Deno.test("bench endpoint puts a fault between caller and script", async () => {
  await running(["--scenario", "healthy-desk", "--fault", "model_rate_limited:planner"], async (url) => {
    assert.equal((await ask(url, "planner")).status, 429);
    assert.equal((await ask(url, "comms")).status, 200);
  });
});

Deno.test("bench endpoint forwards to a provider", async () => {
  await running(["--scenario", "healthy-desk"], async (upstream) => {
    await running(["--forward", `${upstream}/agents/planner`], async (url) => {
      assert.match((await ask(url, "planner")).body, /Establish what was charged/);
    });
  });
});

Deno.test("bench endpoint says in one line what it cannot do", async () => {
  const cases: [args: string[], message: RegExp, code: number][] = [
    [[], /give --scenario NAME to play its script, or --forward URL/, 2],
    [["--forward", "nowhere"], /--forward "nowhere" is no URL/, 2],
    [["--scenario", "healthy-desk", "--port", "x"], /--port "x" is no port/, 2],
    [
      ["--scenario", "healthy-desk", "--fault", "model_hnag"],
      /unknown fault "model_hnag" \(did you mean "model_hang"\?\)/,
      2,
    ],
    [["--scenario", "healthy-desk", "--fault", "black_hole"], /black_hole is a fault of servers/, 2],
    [["--scenario", "nobody-knows-it"], /no scenario matches/, 5],
  ];
  for (const [args, message, code] of cases) {
    const done = await running(args, () => Promise.reject(new Error("it listens")));
    assert.deepEqual([done.code, done.err.trimEnd().split("\n").length], [code, 1], done.err);
    assert.match(done.err, message);
  }
});
