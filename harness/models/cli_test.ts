/** Live models, recordings and limits from the command line on. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bench, type Outcome } from "../cli/test_io.ts";
import { cellSpec, scenarioNamed } from "../testing/cells.ts";
import { parseModelOptions } from "./options.ts";
import { openRunModels } from "./run_models.ts";
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
      assert.deepEqual([code, out, asked(provider)], [2, "", 0], err);
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
    const [, needed, higher] =
      /, which are kept; the next call may use up to (\d+) tokens, and \d+ are left; to go on: .* --max-tokens (\d+) --resume/
        .exec(limited.err) ?? assert.fail(limited.err);
    assert.ok(Number(higher) >= Number(needed) && Number(higher) > 15000, "the limit that stopped it is no way on");
    const { outcome, partial, summary: { cells } } = JSON.parse(limited.out);
    assert.deepEqual([Number(ended), cells.error], [cells.pass + cells.fail, 2 - cells.pass - cells.fail]);
    assert.deepEqual([outcome, partial.planned, partial.ended, partial.brokenOff.length, partial.notRun], [
      ...["error", 2, Number(ended), cells.error, []],
    ]);
    assert.equal(partial.why, "a limit was met (--max-tokens 15000)");
    const calls = asked(provider);
    const [, used] = /: \d+ calls, (\d+) tokens/.exec(limited.err) ?? assert.fail(limited.err);
    const [{ used: told }] = JSON.parse((await bench(["list", "--runs", "--json"], { cwd, runs: folder })).out);
    assert.match(told, new RegExp(`^\\d+ calls, ${used} tokens, `));
    await using again = await scriptedProvider(SCENARIO);
    const limit = String(Number(used) + 500);
    const same = await run([...once, "--max-tokens", limit, "--resume", id], again, folder);
    assert.equal(asked(again), 0, "what was spent before counts, so nothing more fits");
    assert.match(
      same.out,
      new RegExp(`limit of ${limit} tokens: ${used} are used, ${used} of them before, and this call`),
    );
    assert.match(
      same.err,
      new RegExp(`goes on with run ${id}: .*have used \\d+ calls, ${used} tokens, .* so far, which`),
    );
    assert.match(
      same.err,
      new RegExp(`: 0 calls, 0 tokens, .*; before that \\d+ calls, ${used} tokens,.* count, too;`),
    );
    await using fresh = await scriptedProvider(SCENARIO);
    const more = await run([...once, "--max-tokens", "90000", "--resume", id], fresh, folder);
    assert.match(more.err, new RegExp(`goes on with run ${id}: ${ended} of 2 cells have ended`));
    assert.ok(asked(fresh) <= 8 * (2 - Number(ended)), `${asked(fresh)} calls after ${calls}`);
    const whole = JSON.parse(more.out);
    assert.deepEqual([whole.summary.cells.error, whole.partial], [0, undefined]);
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

Deno.test("a price of one's own lets --max-cost be kept for a model that nobody else has a price of", async () => {
  await withFolder(async (folder) => {
    const model = "compatible:m@http://127.0.0.1:1/v1";
    const open = async (prices: object) => {
      await Deno.writeTextFile(`${folder}/own.json`, JSON.stringify({ prices: [prices] }));
      const options = parseModelOptions({ model: [model], maxCost: "1", prices: "own.json" }, folder);
      assert.ok(options);
      using models = await openRunModels([cellSpec("healthy-desk")], options, { env: () => undefined });
      return models.purse?.limits;
    };
    const price = { model: "compatible:m", input: 1, output: 2 };
    assert.deepEqual(await open(price), { maxCostUsd: 1 });
    await assert.rejects(
      open({ ...price, model: "compatible:n" }),
      /the price of compatible:m is not known; .*--prices FILE/,
    );
    await assert.rejects(open({ ...price, inputs: 1 }), /--prices \S+own\.json: .*prices\.0/);
  });
});

Deno.test("compare finds out what the last of its models lacks before the first is paid", async () => {
  await withFolder(async (folder) => {
    await using provider = await scriptedProvider(SCENARIO);
    for (
      const [last, more, why] of [
        ["openai:x", [], /openai:x needs a key in the environment: set OPENAI_API_KEY/],
        ["anthropic:no-such", ["--max-cost", "1"], /--max-cost cannot be kept: the price of anthropic:no-such is not/],
      ] as const
    ) {
      const priced = "planner=anthropic:claude-sonnet-5";
      const env = (name: string) => name === "OPENAI_API_KEY" ? undefined : provider.env(name);
      const words = ["compare", priced, last, "healthy-desk", ...more];
      const { code, out, err } = await bench(words, { cwd, runs: folder, env });
      assert.deepEqual([code, out, asked(provider)], [2, "", 0]);
      assert.match(err, why);
    }
  });
});

Deno.test("compare counts what each side has used against one limit, and goes on with a higher one", async () => {
  await withFolder(async (folder) => {
    await using provider = await scriptedProvider(SCENARIO);
    const sides = ["planner=anthropic:planner", "planner=openai:planner"] as const;
    const tooLittle = ["run", "healthy-desk", "--model", sides[0], "--max-tokens", "1", "--json"];
    const little = await run(tooLittle, provider, folder);
    const [, most] = /this call may use (\d+)/.exec(little.out) ?? assert.fail();
    assert.match(
      little.err,
      new RegExp(
        `0 of 1 cells met no limit; the next .* up to ${most} tokens, and 1 are left; .* again with --max-tokens ${most}\n$`,
      ),
    );
    const words = ["compare", ...sides, "healthy-desk", "--max-tokens"];
    // Enough for the first call of each, and not for both.
    const limit = String(Number(most) + 100);
    const first = await run([...words, limit], provider, folder);
    assert.deepEqual([first.code, first.out, asked(provider)], [2, "", 1], first.err);
    const [, used] = /anthropic:planner\+scripted: 1 calls, (\d+) tokens/.exec(first.err) ?? assert.fail(first.err);
    const before = new RegExp(
      `openai:planner\\+scripted: 0 calls, .*; before that 1 calls, ${used} tokens,.* count, too; 1 call was refused`,
    );
    assert.match(first.err, before);
    assert.match(first.err, /the next call may use up to \d+ tokens, .* same command with --max-tokens \d+ runs only/);
    const same = await run([...words, limit], provider, folder);
    assert.deepEqual([same.code, asked(provider)], [2, 1], "what a side has used counts when it is not run again");
    assert.match(same.err, before);
    const more = await run([...words, "40000"], provider, folder);
    assert.equal(asked(provider), 2, more.err);
    assert.notEqual(more.out, "");
  });
});

Deno.test("a side of compare is kept under a command that can be typed: a program by its words, a limit with its value", async () => {
  await withFolder((folder) =>
    withRefusal(404, async (model) => {
      const subject = "cmd: true";
      const words = ["compare", "scripted", model, "healthy-desk", "--subject", subject, "--max-tokens", "99"];
      await bench(words, { cwd, runs: folder });
      const listed = JSON.parse((await bench(["list", "--runs", "--json"], { cwd, runs: folder })).out);
      assert.deepEqual(listed.map(({ command }: { command: string }) => command).sort(), [
        "run healthy-desk --lane wire --subject 'cmd: true'",
        `run healthy-desk --lane wire --subject 'cmd: true' --model ${model} --max-tokens 99`,
      ]);
    })
  );
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
    const outputs = ["json", "md", "html", "xml"].map((one) => `${folder}/early.${one}`);
    const first = await run([...once, ...outputs.flatMap((one) => ["-o", one])], revoked, folder);
    const { outcome, partial, run: checks, ...report } = JSON.parse(first.out);
    assert.deepEqual([first.code, outcome, report.cells.length, partial.planned, partial.ended], [2, "error", 2, 3, 1]);
    assert.match(partial.why, /^anthropic:planner refuses the key \(401.*\); check ANTHROPIC_API_KEY$/);
    const [left, broken] = [/^healthy-desk@wire,.*repeat=3$/, /^healthy-desk@wire,.*repeat=2$/];
    for (const [names, pattern] of [[partial.notRun, left], [partial.brokenOff, broken]]) {
      assert.equal(names.length, 1);
      assert.match(names[0], pattern);
    }
    const [check] = checks.filter(({ id }: { id: string }) => id === "run.whole");
    assert.equal(check.outcome, "error");
    assert.match(
      check.message,
      /^partial: 1 of 3 cells have been run: .* refuses the key .*; not run: .*repeat=3; broken/,
    );
    for (const output of outputs) {
      assert.match(await Deno.readTextFile(output), /1 of 3 cells have been run|"planned": 3/, output);
    }
    const [early = ""] = outputs;
    const compared = await bench(["compare", early, early], { cwd });
    assert.deepEqual([compared.code, compared.out], [2, ""]);
    assert.match(
      compared.err,
      /early\.json: is of a run that was ended early, with 1 of 3 cells \(.*\); go on with it/,
    );
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
