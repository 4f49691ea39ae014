/** `.ci/run` with each command replaced by one that says, and ends, as a test wants it: what is broken must be red. */
import assert from "node:assert/strict";
import { TestFolder } from "../scenario/test_folder.ts";

const SCRIPT = await Deno.readTextFile(".ci/run");

/** The steps that run a task: name, and the task with its arguments. */
const STEPS = new Map(
  [...SCRIPT.matchAll(/^ *step ([\w-]+) npx -y deno@[\d.]+ task ([\w: /.-]+?)(?: [>&].*)?$/gm)].map(
    ([, name = "", task = ""]) => [name, task] as const,
  ),
);

/** What the commands of steps do instead, as shell. Those that are not named end well and say nothing. */
type Instead = Readonly<Record<string, string>>;

const say = (passed: number, failed = 0) => `echo "ok | ${passed} passed (7 steps) | ${failed} failed (1s)"`;
const SOUND: Instead = { test: say(12), ok: say(5), "frameworks-test": say(2), gate: "echo 9 passed" };

/** What came of it. */
interface Ran {
  readonly code: number;
  /** The line that tells what is broken, if there is one, and the last line. */
  readonly end: readonly string[];
  readonly out: string;
}

/** Runs CI where nothing but the programs that it counts on is to be found; npx and those that bring Python are played. */
async function ci(instead: Instead, { python = true, mktemp = true } = {}): Promise<Ran> {
  const tasks = [...STEPS].map(([name, task]) => `"${task}") ${instead[name] ?? ":"} ;;`);
  const played = {
    npx: `shift 3; case "$*" in ${tasks.join(" ")} *) echo "nobody knows $*"; exit 9 ;; esac`,
    "apt-get": "exit 1",
    sudo: "exit 1",
    ...(python ? { python3: "exit 0" } : {}),
    ...(mktemp ? {} : { mktemp: "exit 1" }),
  };
  const stubs = Object.entries(played).map(([name, body]) => [`bin/${name}`, `#!/bin/bash\n${body}\n`] as const);
  await using folder = await TestFolder.make({ ".ci/run": SCRIPT, "tmp/.keep": "", ...Object.fromEntries(stubs) });
  const real = ["awk", "cat", "dirname", "grep", "id", "rm", "sort", "tee", "tr", ...(mktemp ? ["mktemp"] : [])];
  const links = real.map((name) => `ln -s "$(command -v ${name})" bin/${name}`).join("; ");
  const script = `chmod +x bin/*; ${links}; PATH=$PWD/bin TMPDIR=$PWD/tmp exec "$BASH" .ci/run`;
  const run = await new Deno.Command("bash", { args: ["-c", script], cwd: folder.path }).output();
  const out = new TextDecoder().decode(run.stderr) + new TextDecoder().decode(run.stdout);
  assert.deepEqual([...Deno.readDirSync(`${folder.path}/tmp`)].map(({ name }) => name), [".keep"], "it cleans up");
  const lines = out.trimEnd().split("\n");
  // A message of a test that fails must not be counted as one of Deno's own sums.
  return {
    code: run.code,
    out: out.replaceAll("|", "¦"),
    end: [...lines.filter((line) => line.startsWith("broken: ")), lines.at(-1) ?? ""],
  };
}

Deno.test("CI is green where each step ends well, and its last line sums up what was tested", async () => {
  // The step that runs beside the others has something to say when they have ended; it is waited for.
  const last = `i=0; until [ -e "$TMPDIR"/*/frameworks.log ] || [ $((i += 1)) -gt 100000 ]; do :; done; ${say(5)}`;
  const { code, end, out } = await ci({ ...SOUND, ok: last });
  assert.deepEqual([code, end], [0, ["19 passed, 0 failed"]], out);
  assert.deepEqual([...STEPS.keys()].filter((name) => !out.includes(`== ${name} took `)), []);
});

Deno.test("each step of CI that ends badly makes it red, by name, and keeps no other from running", async () => {
  const names = [...STEPS.keys()].sort();
  assert.deepEqual(names, ["bench", "faults", "frameworks", "frameworks-test", "gate", "ok", "test"]);
  for (const broken of [names.filter((_, i) => i % 2 === 0), names.filter((_, i) => i % 2 === 1), ["ok"]]) {
    const bad = Object.fromEntries(broken.map((name) => [name, `${SOUND[name] ?? ":"}; exit 3`]));
    const { code, end, out } = await ci({ ...SOUND, ...bad });
    assert.deepEqual([code, end], [1, [`broken: ${broken.join(" ")} `, "19 passed, 0 failed"]], out);
    assert.deepEqual([...out.matchAll(/^== (\S+) failed \(exit 3\)$/gm)].map(([, name]) => name).sort(), broken);
    assert.deepEqual(names.filter((name) => !out.includes(`== ${name} took `)), []);
  }
});

Deno.test("CI is red where a test has failed, whatever its step says of it", async () => {
  const { code, end, out } = await ci({ ...SOUND, test: say(11, 1) });
  assert.deepEqual([code, end], [1, ["18 passed, 1 failed"]], out);
});

Deno.test("CI is red where nothing was tested, where a step never came to run, and where there is no Python", async () => {
  const silent = await ci({});
  assert.deepEqual([silent.code, silent.end], [1, ["broken: no-tests ", "0 passed, 0 failed"]], silent.out);
  // Of the pipe that keeps its output nothing is left, as after a kill.
  const lost = await ci({ ...SOUND, bench: 'rm "$TMPDIR"/*/bench.log' });
  assert.deepEqual([lost.code, lost.end], [1, ["broken: bench ", "19 passed, 0 failed"]], lost.out);
  const bare = await ci(SOUND, { python: false });
  assert.deepEqual([bare.code, bare.end], [1, ["broken: python ", "19 passed, 0 failed"]], bare.out);
});

Deno.test("CI that cannot keep its logs is red at once", async () => {
  const { code, out } = await ci(SOUND, { mktemp: false });
  assert.deepEqual([code, out], [1, ""]);
});
