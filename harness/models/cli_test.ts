/** Live models, recordings and limits from the command line on. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bench, type Outcome } from "../cli/test_io.ts";
import { scenarioNamed } from "../testing/cells.ts";
import { modelFlags, type ScriptedProvider, scriptedProvider } from "./testing.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
const SCENARIO = scenarioNamed("healthy-desk");
const MODELS = modelFlags(SCENARIO, (agent) => `anthropic:${agent}`).flatMap((model) => ["--model", model]);

/** A folder of one test. */
async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function run(args: readonly string[], provider: ScriptedProvider | undefined, runs: string): Promise<Outcome> {
  return bench(args, { cwd, runs, env: (name) => provider?.env(name) });
}

const asked = ({ events }: ScriptedProvider) => events.filter(({ type }) => type === "model_request").length;

Deno.test("run --model without a key, or in a task that may not ask, is one clear line, and no cell runs", async () => {
  await withFolder(async (runs) => {
    const words = ["run", "healthy-desk", "--model", "anthropic:claude-x"];
    const loopback = (name: string) => name === "ANTHROPIC_BASE_URL" ? "http://127.0.0.1:1" : undefined;
    const keyless = await bench(words, { cwd, runs, env: loopback });
    assert.deepEqual([keyless.code, keyless.out], [2, ""]);
    assert.equal(keyless.err, "brownout: anthropic:claude-x needs a key in the environment: set ANTHROPIC_API_KEY\n");
    // Tests may reach nothing but loopback, as the task bench may not.
    const key = (name: string) => name === "ANTHROPIC_API_KEY" ? "sk-worthless" : undefined;
    const elsewhere = await bench(words, { cwd, runs, env: key });
    assert.deepEqual([elsewhere.code, elsewhere.out], [2, ""]);
    assert.match(
      elsewhere.err,
      /^brownout: .* is a live model, and this task asks none: use deno task bench:live .*\n$/,
    );
  });
});

for (
  const [args, why] of [
    [["--lane", "sim"], /live models take real time, and the sim lane has none; leave out --lane sim/],
    [["--max-cost", "1"], /--max-cost cannot be kept: the price of anthropic:\w+ is not known; .*prices\.json/],
    [["--record", "/proc/nowhere"], /--record \/proc\/nowhere/],
  ] as const
) {
  Deno.test(`run --model ${args.join(" ")} is refused before anything is asked`, async () => {
    await withFolder(async (runs) => {
      await using provider = await scriptedProvider(SCENARIO);
      const { code, out, err } = await run(["run", "healthy-desk", ...MODELS, ...args], provider, runs);
      assert.deepEqual([code, out, asked(provider)], [2, "", 0]);
      assert.match(err, why);
    });
  });
}

Deno.test("run --record keeps what models say, and run --replay plays it without a provider and without a key", async () => {
  await withFolder(async (folder) => {
    const tape = `${folder}/tape.jsonl`;
    await using provider = await scriptedProvider(SCENARIO);
    const live = await run(["run", "healthy-desk", ...MODELS, "--record", tape, "--json"], provider, folder);
    assert.equal(live.code, 0, live.err);
    assert.match(live.err, /healthy-desk@wire,model=.*\n.*: 8 calls, \d+ tokens, at no known price\n$/);
    const count = asked(provider);
    const again = await run(["run", "healthy-desk", "--replay", tape, "--lane", "wire", "--json"], undefined, folder);
    assert.equal(again.code, 0, again.err);
    assert.equal(asked(provider), count, "nobody is asked");
    const other = await run(["run", "broken-policy-server", "--replay", tape, "--json"], undefined, folder);
    assert.deepEqual([other.code, other.out], [2, ""]);
    assert.match(other.err, /has nothing of \d+ of the \d+ cells, such as broken-policy-server; record them/);
  });
});

Deno.test("a run that met a limit says so, and goes on with a higher one: what has ended is not paid for again", async () => {
  await withFolder(async (folder) => {
    await using provider = await scriptedProvider(SCENARIO);
    const once = ["run", "healthy-desk", "--repeat", "2", "-j", "1", "--json", ...MODELS];
    const limited = await run([...once, "--max-tokens", "15000"], provider, folder);
    assert.equal(limited.code, 2, limited.err);
    assert.match(limited.err, /refused, so that --max-tokens 15000 is not passed: the cells that made them are errors/);
    const { ended, id = "" } =
      /(?<ended>\d) of 2 cells met no limit, .* deno task bench:live run .* --resume (?<id>\S+)/
        .exec(limited.err)?.groups ?? {};
    const { cells } = JSON.parse(limited.out).summary;
    assert.deepEqual([Number(ended), cells.error], [cells.pass + cells.fail, 2 - cells.pass - cells.fail]);
    const calls = asked(provider);
    await using fresh = await scriptedProvider(SCENARIO);
    const more = await run([...once, "--resume", id], fresh, folder);
    assert.match(more.err, new RegExp(`goes on with run ${id}: ${ended} of 2 cells have ended`));
    assert.ok(asked(fresh) <= 8 * (2 - Number(ended)), `${asked(fresh)} calls after ${calls}`);
    assert.equal(JSON.parse(more.out).summary.cells.error, 0);
    const traces = [...Deno.readDirSync(`${folder}/latest/traces`)].map(({ name }) => name);
    assert.equal(traces.length, 2, "those from before the limit are there, too");
  });
});

Deno.test("compare of models runs both in wire, tells what they cost, and runs nothing twice", async () => {
  await withFolder(async (folder) => {
    await using provider = await scriptedProvider(SCENARIO);
    const words = ["compare", "scripted", "planner=anthropic:planner", "healthy-desk"];
    const first = await run(words, provider, folder);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /^A +scripted +baseline\nB +planner=anthropic:planner\+scripted/);
    assert.match(first.out, /^verdict +1 +0 +0 +1\.000 +1\.000/m);
    assert.match(first.out, /^scripted: 1 cells?, \d+ tokens, \$0$/m);
    assert.match(first.out, /^planner=anthropic:planner\+scripted: 1 cells?, \d+ tokens, at no known price$/m);
    const calls = asked(provider);
    assert.equal(calls, 1);
    const again = await run([...words, "--json"], provider, folder);
    assert.equal(asked(provider), calls, again.err);
    assert.deepEqual(JSON.parse(again.out).costs.map(({ cells }: { cells: number }) => cells), [1, 1]);
  });
});

/** A server that refuses all, and counts; one that has gone where it is told none. */
async function withRefusal(
  status: number | undefined,
  test: (model: string, asked: () => number) => Promise<void>,
): Promise<void> {
  let count = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => (count++, Response.json({ error: { message: "no" } }, { status: status ?? 500 })),
  );
  try {
    if (status === undefined) await server.shutdown();
    await test(`compatible:llama@http://127.0.0.1:${server.addr.port}/v1`, () => count);
  } finally {
    if (status !== undefined) await server.shutdown();
  }
}

for (
  const [what, status, why] of [
    [
      "cannot be reached",
      undefined,
      /compatible:llama cannot be reached \(.*\); start its server, or check the address/,
    ],
    ["refuses the key", 401, /compatible:llama refuses the key \(401: no\); check COMPATIBLE_API_KEY/],
    ["has no such model", 404, /compatible:llama is not there \(404: no\); check the model's name, and the address/],
  ] as const
) {
  Deno.test(`a run whose provider ${what} stops at once, says so, records nothing, and is no failure`, async () => {
    await withFolder((folder) =>
      withRefusal(status, async (model, asked) => {
        const tape = `${folder}/tape.jsonl`;
        const words = ["run", "healthy-desk", "--repeat", "5", "-j", "1", "--model", model, "--record", tape, "--json"];
        const { code, out, err } = await bench(words, { cwd, runs: folder });
        assert.deepEqual([code, out], [2, ""], err);
        assert.match(err, why);
        assert.match(err, /the run stops there: 0 of 5 cells have ended; give the command again then\n$/);
        assert.equal(asked(), status === undefined ? 0 : 1);
        assert.equal(await Deno.readTextFile(tape), "");
      })
    );
  });
}

Deno.test("a run whose key is refused on its way keeps what has ended, and goes on with what is missing", async () => {
  await withFolder(async (folder) => {
    const once = ["run", "healthy-desk", "--repeat", "3", "-j", "1", "--json", ...MODELS];
    const faults = [{ fault: "model_unauthorized", at: "agent:planner", when: { calls: [2] } }];
    await using revoked = await scriptedProvider(SCENARIO, { faults });
    const first = await run(once, revoked, folder);
    assert.deepEqual([first.code, first.out], [2, ""], first.err);
    const stop = /anthropic:planner refuses the key .*\n.* 1 of 3 cells have ended, .* --resume (?<id>\S+)\n$/.exec(
      first.err,
    );
    assert.ok(stop?.groups?.["id"], first.err);
    const ofSecond = revoked.events.filter(({ type }) => type === "model_request").length - 8;
    assert.equal(ofSecond, 1, "of the cell that met it nothing more is asked, and none begins after it");
    await using renewed = await scriptedProvider(SCENARIO);
    const more = await run([...once, "--resume", stop.groups["id"]], renewed, folder);
    assert.match(more.err, /1 of 3 cells have ended/);
    // The provider's script is played once, so what comes after the first of its cells need not pass.
    const { cells } = JSON.parse(more.out).summary;
    assert.deepEqual([cells.error, cells.pass + cells.fail], [0, 3]);
    const plans = renewed.events.filter((event) => event.type === "model_request" && event.agent === "planner");
    assert.equal(plans.length, 2, "what has ended is not asked for again");
  });
});

Deno.test("compare with a provider that has no such model compares nothing, and counts no cell for either", async () => {
  await withFolder((folder) =>
    withRefusal(404, async (model) => {
      const { code, out, err } = await bench(["compare", "scripted", model, "healthy-desk"], { cwd, runs: folder });
      assert.deepEqual([code, out], [2, ""]);
      assert.match(
        err,
        /compatible:llama is not there .*; 0 of 1 cells have ended, so there is nothing whole to compare/,
      );
    })
  );
});

Deno.test("one cell whose provider refuses the key has its report, as an error of run.script and no failed run", async () => {
  await withFolder((folder) =>
    withRefusal(403, async (model) => {
      const { code, out, err } = await bench(["run", "healthy-desk", "--model", model, "--json"], {
        cwd,
        runs: folder,
      });
      const { summary, cells: [cell] } = JSON.parse(out);
      assert.deepEqual([code, summary.cells.error, summary.cells.fail], [2, 1, 0], err);
      const { outcome, message } = cell.checks.find(({ id }: { id: string }) => id === "run.script");
      assert.equal(outcome, "error");
      assert.match(message, /compatible:llama refuses the key \(403: no\)/);
    })
  );
});

for (
  const [words, why] of [
    [["scripted", "healthy-desk"], /give two models or more, then selectors/],
    [["scripted", "healthy-desk", "openai:x"], /give two models or more, then selectors/],
    [["scripted", "scripted", "healthy-desk"], /scripted is given twice/],
    [["scripted", "openai:x", "--by", "model"], /--by and --baseline are for what is inside one report/],
  ] as const
) {
  Deno.test(`compare ${words.join(" ")} is wrong usage`, async () => {
    const { code, err } = await bench(["compare", ...words], { cwd });
    assert.equal(code, 2);
    assert.match(err, why);
  });
}
