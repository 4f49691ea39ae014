/** After a run, an interrupt or a crash, no process of the bench is alive. Told by pid. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { spawnChild } from "../../core/mod.ts";
import { descendants, eventually, isAlive, type Process } from "../testing/processes.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const FIXTURES = 3;

/** Starts `bench run` in `wire`, on scenarios that take a while. */
function bench(folder: string, ...selectors: string[]): Deno.ChildProcess {
  const args = ["run", "--quiet", "--no-prompt", "-A", "--config", path("../../deno.json"), path("../cli/main.ts")];
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...args,
      "run",
      ...selectors,
      "--lane",
      "wire",
      "-o",
      `${folder}/report.json`,
      "--trace",
      `${folder}/traces`,
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

const isFixture = ({ command }: Process): boolean => command.includes("servers/serve.ts");

/** The fixtures of a bench, once all of them are there. */
async function fixturesOf(pid: number): Promise<number[]> {
  let found: Process[] = [];
  await eventually("the fixtures", () => {
    found = descendants(pid).filter(isFixture);
    return found.length >= FIXTURES;
  });
  return found.map((one) => one.pid);
}

/** What a stream says, as it comes. */
function follow(stream: ReadableStream<Uint8Array>): { text: string; end: Promise<void> } {
  const followed = { text: "", end: Promise.resolve() };
  followed.end = (async () => {
    for await (const chunk of stream) followed.text += new TextDecoder().decode(chunk);
  })();
  return followed;
}

/** Interrupts a bench when the time has come, and expects it to end as it should. */
async function interrupt(selectors: readonly string[], isTime: (said: string) => boolean): Promise<void> {
  const folder = await Deno.makeTempDir();
  const child = bench(folder, ...selectors);
  const said = follow(child.stderr);
  const pids = await fixturesOf(child.pid);
  await eventually("the time to interrupt", () => isTime(said.text));
  child.kill("SIGINT");
  const { code } = await child.status;
  await said.end;
  assert.equal(code, 130, said.text);
  assert.match(said.text, /interrupted/);
  assert.deepEqual(pids.filter(isAlive), []);
  await assert.rejects(Deno.stat(`${folder}/report.json`), Deno.errors.NotFound);
  await Deno.remove(folder, { recursive: true });
}

Deno.test("SIGINT while its servers start ends the bench with 130, and every server with it", async () => {
  await interrupt(["policy-server-hangs"], () => true);
});

Deno.test("SIGINT in the middle of a call ends the bench with 130, and every server with it", async () => {
  // The first cell has ended; the second uses the same servers, and waits three seconds for one of them.
  await interrupt(["healthy-desk", "policy-server-hangs", "-j", "1"], (said) => said.includes("1/2"));
});

Deno.test("SIGKILL of the bench ends its servers: their stdin ends", async () => {
  const folder = await Deno.makeTempDir();
  const child = bench(folder, "policy-server-hangs");
  const pids = await fixturesOf(child.pid);
  child.kill("SIGKILL");
  await child.stderr.cancel();
  await child.status;
  await eventually("the servers' end", () => !pids.some(isAlive));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a run that ends by itself leaves no server behind", async () => {
  const folder = await Deno.makeTempDir();
  const child = bench(folder, "healthy-desk");
  const pids = await fixturesOf(child.pid);
  const said = follow(child.stderr);
  const { code } = await child.status;
  await said.end;
  assert.equal(code, 0, said.text);
  assert.deepEqual(pids.filter(isAlive), []);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a server that ignores SIGTERM and the end of stdin is killed, and its grandchild too", async () => {
  const script = "trap '' TERM HUP; (trap '' TERM HUP; while :; do sleep 1; done) & echo $!; while :; do sleep 1; done";
  const { PATH = "/usr/bin:/bin" } = Deno.env.toObject();
  const child = spawnChild({ command: "sh", args: ["-c", script], env: { PATH }, graceMs: 20 });
  let said = "";
  child.open({ bytes: (chunk) => said += new TextDecoder().decode(chunk), closed() {} });
  await eventually("the grandchild", () => said.endsWith("\n"));
  const pids = [child.pid, Number(said)];
  assert.deepEqual(pids.map(isAlive), [true, true]);
  await child.close();
  await eventually("the grandchild's end", () => !pids.some(isAlive));
});
