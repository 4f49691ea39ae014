import assert from "node:assert/strict";
import { type ChildConnection, RealClock, spawnChild } from "../../core/mod.ts";
import { Hub } from "./hub.ts";

/** A server in `sh`, deaf to SIGTERM, that starts a grandchild and names both in its tool's result. */
const SERVER = `
trap '' TERM
sleep 600 & grandchild=$!
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"pids","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}}]}' ;;
    *'"name":"die"'*) kill -KILL $$ ;;
    *'"tools/call"'*) result="{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"$$ $grandchild\\"}]}" ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
# Not even the end of its input ends it.
while :; do sleep 600 & wait $!; done
`;

/** Whether a process is there and no zombie that its parent has not collected. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] }).output();
  const state = new TextDecoder().decode(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

/** Whether a process goes away, within a minute: a kill is quick, and still no instant. */
async function goes(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 6000; tries++) {
    if (!await isAlive(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

async function open(): Promise<{ hub: Hub; child: ChildConnection; pids: number[] }> {
  const child = spawnChild({
    command: "sh",
    args: ["-c", SERVER],
    env: { PATH: Deno.env.get("PATH") ?? "" },
    graceMs: 50,
  });
  const hub = await Hub.open({
    ports: [{ name: "s", connect: () => Promise.resolve(child) }],
    clock: new RealClock(),
    connectTimeoutMs: 60_000,
  });
  const { text } = await hub.call("s.pids", {}, { allow: ["s"], signal: new AbortController().signal, span: "x" });
  return { hub, child, pids: text.split(" ").map(Number) };
}

Deno.test("Hub.close() ends a server that ignores everything, and the processes that it started", async () => {
  const { hub, child, pids } = await open();
  assert.equal(pids.length, 2);
  assert.equal(pids[0], child.pid);
  for (const pid of pids) assert.ok(await isAlive(pid));
  await hub.close();
  for (const pid of pids) assert.ok(await goes(pid), `process ${pid} lives on`);
});

Deno.test("Hub.call() ends at once when the process is killed, and its group goes with it", async () => {
  const { hub, pids } = await open();
  const call = { allow: ["s"], signal: new AbortController().signal, span: "x" };
  const outcome = await hub.call("s.die", {}, call);
  assert.deepEqual([outcome.kind, outcome.code], ["closed", "server_down"]);
  await hub.close();
  for (const pid of pids) assert.ok(await goes(pid), `process ${pid} lives on`);
});
