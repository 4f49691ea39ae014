/**
 * The proxy around unmodified servers of other people, from npm, run by Deno. Downloads them when they are not cached;
 * everything else in this folder does without.
 */
import { PlainHub } from "../testing.ts";
import { deno, HELLO, proxy, start, tempFolder } from "./testing.ts";
import { z } from "zod";
import assert from "node:assert/strict";

const VERSION = "2026.8.31";
/** Neither this project's configuration nor its lock file is theirs. */
const ALONE = ["--no-config", "--no-lock"];
const npm = (name: string, ...args: readonly string[]) =>
  deno(...ALONE, "--allow-all", `npm:@modelcontextprotocol/server-${name}@${VERSION}`, ...args);

/** A session with a server: the hub, and its end. */
async function session(command: readonly string[]) {
  const child = start(command);
  const hub = new PlainHub(child);
  const [hello = {}] = HELLO;
  const begun = await hub.request("initialize", paramsOf(hello));
  await hub.notify("notifications/initialized");
  return { hub, child, begun };
}

function paramsOf(message: object): Record<string, unknown> {
  return "params" in message ? z.record(z.string(), z.unknown()).parse(message.params) : {};
}

type Talk = readonly (readonly [tool: string, args: Record<string, unknown>])[];

async function talk(command: readonly string[], calls: Talk): Promise<unknown[]> {
  const { hub, child, begun } = await session(command);
  const seen: unknown[] = [begun, await hub.request("tools/list")];
  for (const [tool, args] of calls) seen.push(await hub.call(tool, args));
  // Some of them do not mind the end of their stdin.
  Deno.kill(child.pid, "SIGTERM");
  await hub.close();
  return seen;
}

const SERVERS: readonly { name: string; args: (folder: string) => string[]; calls: (folder: string) => Talk }[] = [
  {
    name: "everything",
    args: () => [],
    calls: () => [["echo", { message: "ü😀" }], ["get-sum", { a: 2, b: 3 }], ["echo", {}]],
  },
  {
    name: "filesystem",
    args: (folder) => [folder],
    calls: (folder) => [
      ["write_file", { path: `${folder}/a.txt`, content: "hello" }],
      ["read_text_file", { path: `${folder}/a.txt` }],
      ["read_text_file", { path: "/etc/hostname" }],
    ],
  },
  {
    name: "memory",
    args: () => [],
    calls: () => [
      ["search_nodes", { query: "nobody has this name" }],
      ["open_nodes", { names: [] }],
    ],
  },
];

for (const { name, args, calls } of SERVERS) {
  Deno.test(`proxy is transparent around @modelcontextprotocol/server-${name}: the same list, the same answers`, async () => {
    await using folder = await tempFolder();
    const server = npm(name, ...args(folder.path));
    const direct = await talk(server, calls(folder.path));
    assert.deepEqual(await talk(proxy(["--", ...server]), calls(folder.path)), direct);
    assert.deepEqual(await talk(proxy(["--fault", "black_hole:nobody", "--", ...server]), calls(folder.path)), direct);
  });

  Deno.test(`proxy puts a fault into a call of @modelcontextprotocol/server-${name}`, async () => {
    await using folder = await tempFolder();
    const server = npm(name, ...args(folder.path));
    const [[tool, input] = ["", {}]] = calls(folder.path);
    const { hub, child } = await session(
      proxy(["--fault", `tool_error:${tool},first=1,message=down`, "--", ...server]),
    );
    assert.deepEqual((await hub.call(tool, input)).result, {
      content: [{ type: "text", text: "down" }],
      isError: true,
    });
    assert.notEqual(
      z.looseObject({ isError: z.boolean().optional() }).parse((await hub.call(tool, input)).result).isError,
      true,
    );
    Deno.kill(child.pid, "SIGTERM");
    await hub.close();
  });
}

const event = z.looseObject({ type: z.string() });
const access = z.looseObject({
  access: z.string(),
  value: z.string().optional(),
  result: z.string(),
  calls: z.array(z.object({ tool: z.string(), call: z.int() })),
});

/** server-filesystem behind a broker: writes a file, and tells what came of it, and what has been recorded. */
async function brokered(faults: readonly string[], rules = "allow") {
  await using folder = await tempFolder();
  const record = `${folder.path}/record.jsonl`;
  const file = `${folder.path}/data/a.txt`;
  await Deno.mkdir(`${folder.path}/data`);
  const server = deno(...ALONE, `npm:@modelcontextprotocol/server-filesystem@${VERSION}`, `${folder.path}/data`);
  const options = ["--broker", rules.replaceAll("DATA", `${folder.path}/data`), "--record", record];
  const specs = faults.flatMap((spec) => ["--fault", spec]);
  const { hub, child } = await session(
    proxy([...options, ...specs, "--", ...server], ["--allow-net", "--allow-write=/tmp"]),
  );
  // Until it has done its own beginning, what it touches is not a call's.
  await hub.call("list_allowed_directories", {});
  const write = await Promise.race([hub.call("write_file", { path: file, content: "x" }), hub.closed]);
  const again = await Promise.race([
    hub.call("write_file", { path: `${file}2`, content: "x" }).catch(() => {}),
    hub.closed,
  ]);
  await hub.close();
  const { code } = await child.exited;
  const events = (await Deno.readTextFile(record)).trim().split("\n").map((line) => event.parse(JSON.parse(line)));
  const accesses = events.flatMap((one) => one.type === "access" ? [access.parse(one)] : []);
  const written = [...Deno.readDirSync(`${folder.path}/data`)].map(({ name }) => name).sort();
  return { write, again, code, events, accesses, written, file };
}

Deno.test("the broker lets a server work, and its audit says what each call has touched", async () => {
  const { write, code, accesses, written, file } = await brokered([]);
  assert.match(JSON.stringify(write), /Successfully wrote/);
  assert.deepEqual([code, written], [0, ["a.txt", "a.txt2"]]);
  const first = accesses.filter(({ calls }) => calls.some(({ tool, call }) => tool === "write_file" && call === 1));
  assert.ok(first.some(({ access, value, result }) => access === "write" && value === file && result === "allow"));
  assert.ok(first.every(({ value }) => !value?.endsWith("2")), "what the second call touched is the second call's");
  assert.ok(accesses.some(({ calls }) => calls.length === 0), "what the server touched by itself is nobody's");
});

Deno.test("broker_deny denies a write in the middle of a call, with its reason, and the next call works", async () => {
  const { write, again, code, events, accesses, written } = await brokered([
    "broker_deny:write_file,access=write,reason=disk is read-only,first=1",
  ]);
  assert.match(JSON.stringify(write), /"text":"disk is read-only"}\],"isError":true/);
  assert.match(JSON.stringify(again), /Successfully wrote/);
  assert.deepEqual([code, written], [0, ["a.txt2"]]);
  assert.equal(events.filter(({ type }) => type === "fault").length, 1);
  assert.equal(accesses.filter(({ result }) => result === "deny").length, 1);
});

Deno.test("broker_delay holds back every access of a call, and nothing else", async () => {
  const { write, accesses, events } = await brokered(["broker_delay:write_file,ms=1,calls=1"]);
  assert.match(JSON.stringify(write), /Successfully wrote/);
  const late = accesses.filter(({ delayed }) => delayed === 1);
  assert.ok(late.length > 1);
  assert.ok(late.every(({ calls }) => calls.length === 1 && calls[0]?.call === 1));
  assert.equal(events.filter(({ type }) => type === "fault").length, 1);
});

Deno.test("broker_cut ends the server in the middle of a call, half of it done", async () => {
  const { write, code, accesses } = await brokered(["broker_cut:write_file,access=write"]);
  assert.equal(write, undefined, "the connection ended instead");
  assert.equal(code, 87);
  assert.equal(accesses.at(-1)?.result, "cut");
});

Deno.test("the broker's rules deny what they do not grant", async () => {
  const { write, accesses } = await brokered([], "env,sys,read=DATA");
  assert.match(JSON.stringify(write), /--broker does not grant write of .*isError":true/);
  assert.ok(accesses.some(({ result, access }) => result === "deny" && access === "write"));
});
