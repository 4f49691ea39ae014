import assert from "node:assert/strict";
import process from "node:process";
import { ChildConnection, childPids, killChildren, spawnChild } from "./child.ts";
import { ClosedError } from "./pipe.ts";

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** A shell script as a child, and what it says. */
class Script implements AsyncDisposable {
  readonly child: ChildConnection;
  /** Everything it has written to stdout. */
  output = "";
  /** How often its end was reported. */
  ends = 0;
  readonly #waiting = new Set<() => void>();

  constructor(script: string, env: Record<string, string> = {}, graceMs = 20) {
    this.child = spawnChild({ command: "/bin/sh", args: ["-c", script], env, graceMs });
    this.child.open({
      bytes: (chunk) => {
        this.output += DECODER.decode(chunk, { stream: true });
        for (const check of this.#waiting) check();
      },
      closed: () => {
        this.ends++;
        for (const check of this.#waiting) check();
      },
    });
  }

  /** Resolves when something is true of it. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Resolves with its first lines, as numbers of processes. */
  async pids(count: number): Promise<number[]> {
    await this.until(() => this.output.split("\n").length > count);
    return this.output.split("\n").slice(0, count).map(Number);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.child.close();
  }
}

/** Resolves when no such process is left; a killed one may take a moment to be reaped by whoever adopted it. */
async function gone(...pids: number[]): Promise<void> {
  for (const pid of pids) {
    assert(pid > 1, `${pid}`);
    while (await lives(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Whether a process runs; one that only waits to be reaped does not. */
async function lives(pid: number): Promise<boolean> {
  const script = `kill -0 ${pid} 2>/dev/null && ps -o stat= -p ${pid} | grep -qv '^ *Z'`;
  const { success } = await new Deno.Command("/bin/sh", { args: ["-c", script] }).output();
  return success;
}

/** Whatever a server does against being ended. Each says its process ids, a line each, before it settles down. */
const STUBBORN: Record<string, [script: string, processes: number]> = {
  "ends when its stdin is closed": ["echo $$; cat", 1],
  "ignores its stdin": ["echo $$; exec sleep 1000", 1],
  "ignores its stdin and SIGTERM": ["trap '' TERM; echo $$; while :; do sleep 1000; done", 1],
  "has been stopped": ["echo $$; kill -STOP $$; exec sleep 1000", 1],
  "has a grandchild that holds its stdout": ["sleep 1000 & echo $!; echo $$; wait", 2],
  "has a grandchild that ignores SIGTERM": [
    "sh -c 'trap \"\" TERM; while :; do sleep 1000; done' & echo $!; echo $$; wait",
    2,
  ],
  "leaves a grandchild in its group when it ends": ["sleep 1000 & echo $!; echo $$; cat", 2],
  "leaves a grandchild without any of its pipes": ["sleep 1000 </dev/null >/dev/null 2>&1 & echo $!; echo $$; cat", 2],
};

for (const [name, [script, processes]] of Object.entries(STUBBORN)) {
  Deno.test(`ChildConnection.close ends a child that ${name}`, async () => {
    await using server = new Script(script);
    const pids = await server.pids(processes);
    assert.equal(pids.at(-1), server.child.pid);
    assert.deepEqual(childPids(), [server.child.pid]);
    await Promise.all([server.child.close(), server.child.close()]);
    assert.deepEqual(childPids(), []);
    assert.equal(server.ends, 1);
    await gone(...pids);
  });
}

Deno.test("ChildConnection.close lets go of the pipes of a grandchild that has left the group", async () => {
  await using server = new Script("setsid sh -c 'echo $$; exec sleep 1000' & cat");
  const [grandchild = 0] = await server.pids(1);
  await server.child.close();
  assert.equal(server.ends, 1);
  assert(await lives(grandchild), "documented: such a one is not found");
  Deno.kill(grandchild, "SIGKILL");
  await gone(grandchild);
});

Deno.test("ChildConnection lets go of the pipes of a grandchild that has left the group and never stops writing", async () => {
  const script = "setsid sh -c 'while :; do echo $$ || exit; sleep 0.02; done' & exec sleep 0.1";
  const child = spawnChild({ command: "/bin/sh", args: ["-c", script], env: {}, drainMs: 60 });
  let output = "";
  const closed = new Promise<void>((resolve) =>
    child.open({ bytes: (chunk) => output += DECODER.decode(chunk), closed: resolve })
  );
  await child.exited;
  await closed;
  await child.stderrEnded;
  await child.close();
  const pid = Number(output.split("\n")[0]);
  // With its pipe it loses its reason to live; nobody else would end it.
  await gone(pid);
});

Deno.test("ChildConnection ends the group of a leader that exits by itself, and tells the reader", async () => {
  await using server = new Script("sleep 1000 & echo $!; echo last words; exit 3");
  const [grandchild = 0] = await server.pids(1);
  await server.until(() => server.ends > 0);
  assert.match(server.output, /last words\n$/);
  assert.deepEqual(await server.child.exited, { code: 3, signal: null });
  assert.deepEqual(childPids(), []);
  await gone(grandchild);
});

Deno.test("ChildConnection delivers all that a child wrote before it exited", async () => {
  await using server = new Script(
    "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done",
  );
  await server.until(() => server.ends > 0);
  assert.equal(server.output.length, 3_000 * 41);
});

Deno.test("ChildConnection is told of a child that closes its stdout and lives on", async () => {
  await using server = new Script("echo $$; exec >&-; cat >/dev/null");
  await server.until(() => server.ends > 0);
  assert.deepEqual(childPids(), [server.child.pid]);
});

Deno.test("ChildConnection takes 16 MiB of stderr without a deadlock and keeps only the end", async () => {
  await using server = new Script("head -c 16777216 /dev/zero | tr '\\0' x >&2; echo 'the ènd' >&2; echo done");
  await server.until(() => server.output === "done\n");
  await server.child.exited;
  await server.child.close();
  assert.equal(server.child.stderrTail.length, 8192);
  assert.match(server.child.stderrTail, /^x+the ènd\n$/);
});

Deno.test("ChildConnection carries bytes both ways", async () => {
  await using server = new Script("exec cat");
  const sent = Array.from({ length: 200 }, (_, i) => `${i} é🦊\n`.repeat(50));
  for (const text of sent) await server.child.write(ENCODER.encode(text));
  await server.until(() => server.output.length >= sent.join("").length);
  assert.equal(server.output, sent.join(""));
});

Deno.test("ChildConnection.write fails with ClosedError once the child has gone or is being closed", async () => {
  await using gone = new Script("exit 0");
  await gone.child.exited;
  await assert.rejects(gone.child.write(ENCODER.encode("x")), ClosedError);
  await using closing = new Script("exec cat");
  const closed = closing.child.close();
  await assert.rejects(closing.child.write(ENCODER.encode("x")), ClosedError);
  await closed;
  await assert.rejects(closing.child.write(ENCODER.encode("x")), ClosedError);
});

Deno.test("ChildConnection.write fails with ClosedError when the child has closed its stdin", async () => {
  await using server = new Script("exec <&-; echo ready; exec sleep 1000");
  await server.until(() => server.output === "ready\n");
  await assert.rejects(server.child.write(ENCODER.encode("x")), { name: "ClosedError", message: /does not read/ });
});

Deno.test("ChildConnection.close ends a write that nobody reads", async () => {
  await using server = new Script("echo ready; exec sleep 1000");
  await server.until(() => server.output === "ready\n");
  const stuck = server.child.write(new Uint8Array(1 << 20));
  await Promise.all([server.child.close(), assert.rejects(stuck, ClosedError)]);
});

Deno.test("ChildConnection.endInput ends the child's stdin after what was written, and leaves it its last words", async () => {
  await using server = new Script("cat; echo last words");
  const written = server.child.write(ENCODER.encode("first\n"));
  await server.child.endInput();
  await written;
  await assert.rejects(server.child.write(ENCODER.encode("x")), ClosedError);
  await server.until(() => server.ends > 0);
  assert.deepEqual([server.output, await server.child.exited], ["first\nlast words\n", { code: 0, signal: null }]);
});

Deno.test("ChildConnection can be closed without having been opened", async () => {
  const child = spawnChild({ command: "/bin/sh", args: ["-c", "echo unread; echo unread >&2; cat"], graceMs: 20 });
  await child.close();
  assert.deepEqual(childPids(), []);
});

Deno.test("spawnChild passes nothing of this process's environment on", async () => {
  await using server = new Script("env", { ONLY: "this" });
  await server.until(() => server.ends > 0);
  const names = server.output.trim().split("\n").map((line) => line.split("=")[0]);
  // The shell itself adds these.
  assert.deepEqual(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name ?? "")), ["ONLY"]);
});

Deno.test("spawnChild fails with NotFound for a program that is missing, and leaves nothing behind", () => {
  assert.throws(() => spawnChild({ command: "/no/such/program" }), Deno.errors.NotFound);
  assert.throws(() => spawnChild({ command: "no-such-program-on-the-path" }), Deno.errors.NotFound);
  assert.deepEqual(childPids(), []);
});

Deno.test("killChildren ends every child at once", async () => {
  await using servers = new AsyncDisposableStack();
  const scripts = Array.from(
    { length: 3 },
    () => servers.use(new Script("trap '' TERM; sleep 1000 & echo $!; echo $$; wait")),
  );
  const pids = (await Promise.all(scripts.map((script) => script.pids(2)))).flat();
  assert.deepEqual(childPids(), scripts.map(({ child }) => child.pid));
  killChildren();
  for (const { child } of scripts) assert.equal((await child.exited).signal, "SIGKILL");
  assert.deepEqual(childPids(), []);
  await gone(...pids);
});

Deno.test("ChildConnection lets somebody look at what a leader has left, before it is killed", async () => {
  const groupIsThere = (pid: number) => process.kill(-pid, 0);
  const seen: boolean[] = [];
  const child = spawnChild({
    command: "/bin/sh",
    args: ["-c", "sleep 1000 >/dev/null 2>&1 & echo $!"],
    onLeaderEnd: (pid) => {
      assert.equal(pid, child.pid);
      seen.push(groupIsThere(pid));
      return Promise.resolve();
    },
  });
  let output = "";
  const { promise, resolve } = Promise.withResolvers<void>();
  child.open({ bytes: (chunk) => output += DECODER.decode(chunk), closed: resolve });
  await child.exited;
  await promise;
  await child.close();
  assert.deepEqual(seen, [true]);
  await gone(Number(output));
});
