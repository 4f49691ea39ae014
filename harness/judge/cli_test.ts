/** `bench run --judge` from the command line on. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { taskOf } from "../cli/command_line.ts";
import { bench, type Outcome } from "../cli/test_io.ts";
import { liveArgs } from "../models/live_task.ts";
import { type JudgingProvider, judgingProvider } from "./testing.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
const JUDGE = ["--judge", "anthropic:judge-1"];

function run(args: readonly string[], provider: JudgingProvider | undefined, runs: string): Promise<Outcome> {
  return bench(["run", ...args], { cwd, runs, env: (name) => provider?.env(name) });
}

/** What was judged of each cell, by its scenario. */
function judgedIn(json: string): [string, unknown][] {
  const { cells }: { cells: { cell: { scenario: string }; judged: unknown }[] } = JSON.parse(json);
  return cells.map(({ cell: { scenario }, judged }) => [scenario, judged]);
}

Deno.test("run --judge judges what the checks leave open, changes no verdict, is recorded, kept and replayed offline", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const tape = `${folder}/tape.jsonl`;
    await using provider = await judgingProvider();
    const words = ["refund-lookup-broken", "writer-adds-a-claim", "--json"];
    const live = await run([...words, ...JUDGE, "--record", tape], provider, folder);
    assert.equal(live.code, 0, live.err);
    assert.match(live.err, /scripted\+judge=anthropic:judge-1: 3 calls, \d+ tokens, at no known price\n/);
    const report = JSON.parse(live.out);
    assert.deepEqual(report.judged.labels, { asked: 2, agreed: 2, notReached: 0, notAsked: 0 });
    assert.deepEqual(report.judged.models, ["judge-1"]);
    assert.equal(provider.asked.length, 3);

    const [id = ""] = [...Deno.readDirSync(`${folder}/kept`)].map(({ name }) => name);
    const again = await run([...words, ...JUDGE, "--resume", id], provider, folder);
    assert.equal(again.out, live.out, again.err);
    assert.equal(provider.asked.length, 3, "what is kept is not paid for again");
    const other = await run([...words, "--judge", "anthropic:judge-2", "--resume", id], provider, folder);
    assert.match(other.err, /it was begun as something else: --judge/);

    const replayed = await run([...words, ...JUDGE, "--replay", tape, "--lane", "sim"], undefined, folder);
    assert.equal(replayed.code, 0, replayed.err);
    assert.doesNotMatch(replayed.err, /judge of/, "nothing is missing, nothing left over");
    assert.deepEqual(judgedIn(replayed.out), judgedIn(live.out));
    assert.equal(provider.asked.length, 3, "nobody is asked");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

for (
  const [args, why] of [
    [["--judge", "scripted"], /--judge: "scripted" is no model/],
    [["--judge", "billing=openai:x"], /--judge: "billing=openai:x" is no model/],
    [[...JUDGE, "--lane", "sim"], /live models take real time, and the sim lane has none/],
    [[...JUDGE, "--max-cost", "1"], /the price of anthropic:judge-1 is not known/],
    [JUDGE, /anthropic:judge-1 needs a key in the environment: set ANTHROPIC_API_KEY/],
  ] as const
) {
  Deno.test(`run ${args.join(" ")} is refused before anything runs`, async () => {
    const runs = await Deno.makeTempDir();
    try {
      const variables = new Map([
        ["ANTHROPIC_BASE_URL", "http://127.0.0.1:1"],
        ...(args.length > JUDGE.length ? [["ANTHROPIC_API_KEY", "sk-worthless"] as const] : []),
      ]);
      const env = (name: string) => variables.get(name);
      const { code, out, err } = await bench(["run", "healthy-desk", ...args], { cwd, runs, env });
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, why);
    } finally {
      await Deno.remove(runs, { recursive: true });
    }
  });
}

Deno.test("bench:live gives a judge its network and its key, and a run with one is gone on with there", () => {
  for (const words of [["--judge", "compatible:m@http://box:8080/v1"], ["--judge=compatible:m@http://box:8080/v1"]]) {
    const args = liveArgs(["run", ...words], "/home", () => undefined);
    assert.ok(args.includes("--allow-net=127.0.0.1,box:8080"), words.join(" "));
    assert.match(args.find((arg) => arg.startsWith("--allow-env=")) ?? "", /,COMPATIBLE_API_KEY$/);
  }
  assert.equal(taskOf("run support --judge openai:x"), "bench:live");
  assert.equal(taskOf("run support --judge openai:x --replay tape.jsonl"), "bench");
});

Deno.test("a recording says what it lacks of a judge, and a judge's alone is no recording of a model", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const tape = `${folder}/tape.jsonl`;
    const begun = { type: "cell", cell: "healthy-desk", model: "scripted+judge=anthropic:judge-1" };
    await Deno.writeTextFile(tape, `{"type":"cassette","version":1}\n${JSON.stringify(begun)}\n`);
    for (
      const [args, why] of [
        [[], /is of a judge alone; give --judge with its name; there is scripted\+judge=anthropic:judge-1/],
        [["--judge", "openai:x"], /has nothing of the judge openai:x for 2 of the 2 cells, such as healthy-desk/],
      ] as const
    ) {
      const { code, out, err } = await run(["healthy-desk", "--replay", tape, ...args], undefined, folder);
      assert.deepEqual([code, out], [2, ""], err);
      assert.match(err, why);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
