import assert from "node:assert/strict";
import { RealClock } from "../../core/mod.ts";
import { MemoryCheckpointer } from "./mod.ts";
import { SqliteCheckpointer } from "./sqlite.ts";
import { killable, pointOf } from "./testdata/killed_run.ts";

const clock = new RealClock();
const TASKS = ["plan", "worker#1", "worker#2", "worker#3", "worker#4", "worker#5", "collect"];

/** Starts a run in a process of its own and kills it when it has passed a point. Gives the points that it passed. */
async function killAt(file: string, point: string): Promise<string[]> {
  const program = new URL("./testdata/killed_run.ts", import.meta.url).href;
  await using child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read", "--allow-write", program, file, point],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const passed: string[] = [];
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    passed.push(...lines);
    if (passed.at(-1) === point) child.kill("SIGKILL");
  }
  await child.stdin.close().catch(() => {}); // its reader has been killed
  const { signal } = await child.status;
  assert.equal(signal, "SIGKILL");
  assert.equal(passed.at(-1), point);
  return passed;
}

const tasksAt = (points: readonly string[], where: "in" | "after") =>
  points.flatMap((point) => point.startsWith(`${where} `) ? [point.slice(where.length + 1)] : []).sort();

Deno.test("resume() after kill -9 at any point ends as if nothing had happened, and repeats no finished task", async (t) => {
  const points: string[] = [];
  const whole = await killable((point) => points.push(point)).run({}, {
    clock,
    onEvent: (event) => {
      const point = pointOf(event);
      if (point !== undefined) points.push(point);
    },
  });
  const dir = await Deno.makeTempDir();
  try {
    assert.equal(points.length, 2 * TASKS.length + 3);
    for (const [i, point] of points.entries()) {
      await t.step(`killed ${point}`, async () => {
        const file = `${dir}/${i}.sqlite`;
        const before = await killAt(file, point);
        const after: string[] = [];
        using checkpointer = new SqliteCheckpointer(file);
        const resumed = await killable((passed) => after.push(passed)).resume("killed", { clock, checkpointer });
        assert.deepEqual(resumed, whole);
        const finished = tasksAt(before, "after");
        assert.deepEqual([...finished, ...tasksAt(after, "in")].sort(), TASKS.toSorted());
      });
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("resume() gives the same result however often a run is stopped in between", async () => {
  const whole = await killable(() => {}).run({}, { clock });
  const checkpointer = new MemoryCheckpointer();
  const ran: string[] = [];
  const stopAfter = (task: string) => {
    const controller = new AbortController();
    return {
      clock,
      checkpointer,
      signal: controller.signal,
      onEvent: (event: Parameters<typeof pointOf>[0]) => {
        if (event.type === "task_end" && event.outcome !== "cancelled") ran.push(event.task);
        if (pointOf(event) === `after ${task}`) controller.abort("stop");
      },
    };
  };
  const run = killable(() => {});
  let last = await run.run({}, { ...stopAfter("worker#5"), runId: "r" });
  for (const task of ["worker#4", "worker#2", "worker#1", "none"]) {
    assert.equal(last.status, "cancelled");
    last = await run.resume("r", stopAfter(task));
  }
  assert.deepEqual(last, whole);
  assert.deepEqual(ran.toSorted(), TASKS.toSorted());
});
