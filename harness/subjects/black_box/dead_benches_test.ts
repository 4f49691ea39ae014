import assert from "node:assert/strict";
import { benchName, cleanAfterDeadBenches, newFolder, newMark } from "./dead_benches.ts";

/** A process that waits, with such a mark. */
function sleeper(mark: string): Deno.ChildProcess {
  const env = { BROWNOUT_CELL: mark, PATH: "/usr/bin:/bin" };
  return new Deno.Command("sleep", { args: ["600"], clearEnv: true, env, stdin: "null", stdout: "null" }).spawn();
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

Deno.test({
  name: "cleanAfterDeadBenches() ends what a dead bench has left, and nothing of a live one or of anybody else",
  ignore: Deno.build.os !== "linux",
  async fn() {
    // This process's id, as of another start and as of another namespace: the first is a bench that has ended.
    const [pid, start, space] = (await benchName()).split(".");
    const dead = `${pid}.1${start}.${space}`;
    const elsewhere = `${pid}.1${start}.1${space}`;
    const id = crypto.randomUUID();
    const left = sleeper(`${dead}.${id}`);
    const kept = [await newMark(), `${elsewhere}.${id}`, `${dead}.somebody's`, "my own"].map(sleeper);
    const stale = await Deno.makeTempDir({ dir: "/tmp", prefix: `brownout-subject-${dead}-` });
    await Deno.writeTextFile(`${stale}/mcp.json`, "{}");
    const folders = [
      await newFolder(),
      await Deno.makeTempDir({ dir: "/tmp", prefix: `brownout-subject-${elsewhere}-` }),
      await Deno.makeTempDir({ dir: "/tmp", prefix: `brownout-subject-mine-` }),
    ];
    try {
      await cleanAfterDeadBenches();
      assert.equal((await left.status).signal, "SIGKILL");
      assert.equal(await isThere(stale), false);
      for (const folder of folders) assert.ok(await isThere(folder), folder);
      // Throws for a process that is gone.
      for (const one of kept) one.kill("SIGCONT");
    } finally {
      for (const folder of folders) await Deno.remove(folder, { recursive: true });
      for (const one of kept) one.kill("SIGKILL");
      const ends = await Promise.all(kept.map((one) => one.status));
      assert.deepEqual(ends.map(({ signal }) => signal), ends.map(() => "SIGKILL"));
    }
  },
});
