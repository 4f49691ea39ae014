import assert from "node:assert/strict";
import { FAULTS } from "../../servers/mod.ts";
import { SOUND, sound, TestFolder } from "../scenario/test_folder.ts";
import { bench } from "./test_io.ts";

const files = {
  "b.yaml": `${SOUND}smoke: true\nvariants: { slow: {}, late: {} }\n`,
  "a.yaml": sound("name: sound", "name: other").replace("Nothing goes wrong.", `"${"\\e[31m long ".repeat(12)}"`),
};

Deno.test("list --json is an array with name, crew, file, story, variants, smoke and faults", async () => {
  await using folder = await TestFolder.make({ "b.yaml": files["b.yaml"] });
  const { code, out, err } = await bench(["list", "--json", "./b.yaml"], { cwd: folder.path });
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(JSON.parse(out), [{
    name: "sound",
    crew: "support",
    file: `${folder.path}/b.yaml`,
    story: "Nothing goes wrong.",
    variants: ["slow", "late"],
    smoke: true,
    faults: ["latency"],
    expansions: [],
  }]);
});

Deno.test("list tells what all-faults stands for, and of each fault that is left out why", async () => {
  await using folder = await TestFolder.make({ "b.yaml": `${SOUND}variants: { slow: {}, every: all-faults }\n` });
  const { out } = await bench(["list", "--json", "./b.yaml"], { cwd: folder.path });
  const [{ variants, expansions: [every, ...more] }] = JSON.parse(out);
  assert.deepEqual([variants, every.name, more], [["slow"], "every", []]);
  assert.ok(every.variants.includes("every.tool_error"));
  const left = every.inapplicable.map(({ fault, reason }: Record<string, string>) => `${fault}: ${reason}`);
  assert.ok(
    left.includes("swapped_replies: it needs two calls of one server in one turn, and the script leads to none"),
  );
  assert.equal(every.variants.length + left.length, FAULTS.size, "nothing is dropped in silence");
  const screen = await bench(["list", "./b.yaml"], { cwd: folder.path });
  assert.match(screen.out, /^ {2}sound\/slow\n {2}sound\/every {2}1\d\d faults, each alone$/m);
});

Deno.test("list shows crews, names, stories and variants in 80 columns", async () => {
  await using folder = await TestFolder.make(files);
  const { code, out } = await bench(["list", "."], { cwd: folder.path });
  assert.equal(code, 0);
  assert.match(out, /^support\n {2}other {4}\\u\{1b\}\[31m long/);
  assert.match(out, /^ {2}sound {2}\* Nothing goes wrong\.\n {2}sound\/slow\n {2}sound\/late$/m);
  assert.ok(out.split("\n").every((line) => line.length <= 80));
});

Deno.test("list --subjects lists who has a name, and how those are given that have none", async () => {
  const [json, screen] = [await bench(["list", "--subjects", "--json"]), await bench(["list", "--subjects"])];
  const rows: Record<string, unknown>[] = JSON.parse(json.out);
  assert.deepEqual(rows.filter(({ name }) => name === "reference").map(({ lanes }) => lanes), [["sim", "wire"]]);
  const open = rows.filter(({ name }) => name === null);
  assert.deepEqual(open.map(({ kind, form, lanes }) => [kind, form, lanes]), [
    ["command", "cmd: PROGRAM ARGUMENTS…", ["wire"]],
    ["http", "http://localhost:PORT/…", ["wire"]],
  ]);
  for (const { form } of open) assert.ok(screen.out.includes(`${form}`));
});

Deno.test("list --models lists each known price with its date and source, and --prices puts one's own before it", async () => {
  const own = { model: "anthropic:claude-sonnet-5", input: 1, output: 7 };
  await using folder = await TestFolder.make({
    "own.json": JSON.stringify({ prices: [own, { ...own, model: "compatible:m" }] }),
    "bad.json": JSON.stringify({ prices: [{ ...own, output: "free" }] }),
  });
  const list = (...args: string[]) => bench(["list", "--models", ...args], { cwd: folder.path });
  const { code, out } = await list();
  assert.equal(code, 0);
  assert.match(out, /^ {2}anthropic:claude-sonnet-5 +2 +0\.2 +2\.5 +10 +20\d\d-\d\d-\d\d +\d+$/m);
  const [, number] = /^ {2}anthropic:claude-sonnet-5 .* (\d+)$/m.exec(out) ?? assert.fail();
  assert.match(out, new RegExp(`^ {2} ?${number}  https://platform\\.claude\\.com/\\S*sonnet-5`, "m"));
  assert.match(out, /^ {2}openai:NAME +key in OPENAI_API_KEY$/m);
  assert.ok(out.split("\n").every((line) => line.length <= 80), out);
  assert.match((await list("--prices", "own.json")).out, /^ {2}anthropic:claude-sonnet-5 +1 +1 +1 +7 +- +yours$/m);
  const { prices } = JSON.parse((await list("--prices", "own.json", "--json")).out);
  const mine = prices.filter(({ own }: { own: boolean }) => own).map(({ model }: { model: string }) => model);
  assert.deepEqual(mine.sort(), ["anthropic:claude-sonnet-5", "compatible:m"]);
  for (
    const [args, why] of [
      [
        ["--prices", "bad.json"],
        /bad\.json: .*prices\.0\.output is "free"; give US dollars for a million tokens, .*; write \{ "prices": \[/,
      ],
      [["--prices", "none.json"], /--prices \S+none\.json is not there/],
    ] as const
  ) {
    const bad = await list(...args);
    assert.deepEqual([bad.code, bad.out], [2, ""]);
    assert.match(bad.err, why);
  }
  assert.equal((await bench(["list", "--prices", "own.json"], { cwd: folder.path })).code, 2);
});

Deno.test("list without selectors lists the project's own scenarios", async () => {
  const { code, out } = await bench(["list", "--json"]);
  assert.equal(code, 0);
  assert.ok(JSON.parse(out).length > 0);
});

Deno.test("list lists what is sound, and says what is not, exit 2", async () => {
  await using folder = await TestFolder.make({ ...files, "c.yaml": "" });
  const { code, out, err } = await bench(["list", "--json", "."], { cwd: folder.path });
  assert.equal(code, 2);
  assert.equal(JSON.parse(out).length, 2);
  assert.equal(err, `${folder.path}/c.yaml:1:1 is empty; a file holds a map of keys\n`);
});
