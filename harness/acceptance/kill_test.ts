/**
 * kill -9 in earnest: a run of 500 cells is killed at ten moments that a seed has drawn, and goes on each time. Its report
 * is the same, byte for byte, as that of a run that nobody killed, and no cell that had ended has run twice.
 */
import assert from "node:assert/strict";
import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { Random } from "../../core/mod.ts";
import { RunStore } from "../store/run_store.ts";
import { TempFolder } from "../store/testing.ts";

const CELLS = 500;
const KILLS = 10;
const CHILD = fileURLToPath(new URL("./kept_bench_child.ts", import.meta.url));
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** A small scenario: its cells are quick, and the bench is what is tested. */
const SCENARIO = `name: small
story: One specialist looks up one order.
crew: support
request: What is order 12345?
script:
  planner:
    - say: '{"tasks": [{"id": "look", "specialist": "billing", "objective": "Look up order 12345."}]}'
  billing:
    - call: orders.find_order
      with: { order_id: "12345" }
    - final: Order 12345 was found.
expect:
  status: complete
`;

interface Life {
  /** Whether it came to its end. */
  readonly ended: boolean;
  /** Numbers of the cells that stderr told to have ended, in that order, as in 12/500. */
  readonly told: readonly string[];
  readonly err: string;
}

/** One process. Killed once it has told so many cells. */
async function live(args: readonly string[], runs: string, cwd: string, killAfter = Infinity): Promise<Life> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check", "--cached-only", "--config", join(PROJECT, "deno.json")],
      ...["--lock", join(PROJECT, "deno.dev.lock"), "--allow-read", "--allow-write=/tmp", "--allow-env"],
      ...[CHILD, runs, ...args],
    ],
    env: { INIT_CWD: cwd },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const told: string[] = [];
  let [err, rest] = ["", ""];
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    err += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const id = /^ *\d+\/\d+ {2}\S+ +(\S+)$/.exec(line)?.[1];
      if (id === undefined) continue;
      told.push(id);
      if (told.length !== killAfter) continue;
      child.kill("SIGKILL");
    }
  }
  const { signal } = await child.status;
  return { ended: signal === null, told, err };
}

/** The one run in a folder, as its store has it: which life each cell was run in, and the digest of what came of it. */
function marksIn(runs: string): { id: string; marks: Map<number, string> } {
  const [entry, ...more] = [...Deno.readDirSync(join(runs, "kept"))];
  assert.ok(entry !== undefined && more.length === 0, "there is one run");
  // A copy: looking must not be what repairs the store that the next life opens.
  const copy = Deno.makeTempDirSync({ dir: "/tmp", prefix: "brownout-look-" });
  try {
    for (const { name, isFile } of Deno.readDirSync(join(runs, "kept", entry.name))) {
      if (isFile) Deno.copyFileSync(join(runs, "kept", entry.name, name), join(copy, name));
    }
    using store = RunStore.open(join(copy, "store.sqlite"));
    const marks = store.marks().map(({ n, cell, digest, life }) => [n, `${cell} ${life} ${digest}`] as const);
    return { id: entry.name, marks: new Map(marks) };
  } finally {
    Deno.removeSync(copy, { recursive: true });
  }
}

function tracesIn(folder: string): Map<string, string> {
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return new Map(files.map((name) => [name, Deno.readTextFileSync(join(folder, name))]));
}

Deno.test("a run killed with SIGKILL at ten moments gives the same bytes, and no cell that had ended runs twice", async () => {
  await using temp = await TempFolder.make();
  await Deno.writeTextFile(temp.of("small.yaml"), SCENARIO);
  const args = (name: string, jobs: number) => [
    ...["run", "./small.yaml", "--lane", "sim", "--repeat", String(CELLS), "-j", String(jobs)],
    ...["-o", temp.of(`${name}.json`), "--trace", temp.of("traces")],
  ];
  const whole = await live(args("whole", 1), temp.of("whole"), temp.path);
  assert.ok(whole.ended && whole.told.length === CELLS, whole.err);
  const traces = tracesIn(temp.of("traces"));
  assert.equal(traces.size, CELLS);
  await Deno.remove(temp.of("traces"), { recursive: true });

  const random = new Random("kill the bench");
  const moments = Array.from({ length: KILLS }, () => 1 + random.int(CELLS - KILLS)).sort((a, b) => a - b);
  const runs = temp.of("killed");
  const told: string[] = [];
  let before = new Map<number, string>();
  for (const [i, moment] of moments.entries()) {
    // At least one more each time, so that each life has something to lose.
    const after = Math.max(1, moment - told.length);
    const life = await live([...args("killed", 1 + i % 8), ...(i === 0 ? [] : ["--resume"])], runs, temp.path, after);
    assert.equal(life.ended, false, life.err);
    told.push(...life.told);
    const { marks } = marksIn(runs);
    assert.ok(marks.size >= told.length, "what was told to have ended is in the store");
    for (const [n, mark] of before) assert.equal(marks.get(n), mark, "what had ended is as it was");
    before = marks;
  }
  const { id } = marksIn(runs);
  const last = await live([...args("killed", 8), "--resume", id], runs, temp.path);
  assert.ok(last.ended, last.err);
  told.push(...last.told);
  assert.match(last.err, new RegExp(`goes on with run ${id}: ${before.size} of ${CELLS} cells have ended`));
  assert.equal(last.told.length, CELLS - before.size, "only what had not ended is run");
  assert.equal(new Set(told).size, told.length, "no cell is told twice");
  const { marks } = marksIn(runs);
  assert.equal(marks.size, CELLS);
  for (const [n, mark] of before) assert.equal(marks.get(n), mark);
  assert.equal(
    new Set([...marks.values()].map((mark) => mark.split(" ")[1])).size,
    KILLS + 1,
    "each life did its part",
  );
  assert.equal(await Deno.readTextFile(temp.of("killed.json")), await Deno.readTextFile(temp.of("whole.json")));
  assert.deepEqual(tracesIn(temp.of("traces")), traces, "each trace is whole, and the same");
});
