import assert from "node:assert/strict";
import { formatProblem } from "../scenario/mod.ts";
import { TestFolder } from "../scenario/test_folder.ts";
import { scorecard } from "../score/check.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { compareExpected, isHeld } from "./expected.ts";
import { type ExpectedFailures, readExpected } from "./read_expected.ts";

const NAMES = { crews: new Set(["support"]), cells: new Set(["broken-policy-server"]) };

async function read(text: string, name = "liar.yaml"): Promise<ExpectedFailures | string[]> {
  await using folder = await TestFolder.make({ [`e/${name}`]: text });
  const { files, problems } = await readExpected(`${folder.path}/e`, "e", ["reference", "liar"], NAMES);
  return files.get("liar") ?? problems.map(formatProblem);
}

function file(...entries: string[]): string {
  return ["subject: liar", "expected:", ...entries.map((entry) => `  - ${entry}`), ""].join("\n");
}

const ran = await runOne(cellSpec("broken-policy-server"));
const [red, ...green] = ran.scorecard.checks;
assert.ok(red);

function compare(expected: ExpectedFailures | string[], outcome: "fail" | "error" = "fail", isWhole = true): string[] {
  if (Array.isArray(expected)) assert.fail(expected.join("\n"));
  const result = { ...ran, scorecard: scorecard([{ ...red ?? assert.fail(), outcome }, ...green]) };
  const { changes, problems } = compareExpected("liar", expected, [result], isWhole);
  return [...problems.map(formatProblem), ...changes.map(({ where, facts }) => `${where} ${facts.join()}`)];
}

Deno.test("readExpected() is red about unknown keys, subjects and scenarios, with their places", async () => {
  const entry = "{ scenario: broken-policy-server, checks: run.ended, reason: It crashes. }";
  for (
    const [text, problem] of [
      [file(entry.replace("reason", "raison")), 'e/liar.yaml:3:58 unknown key "raison" (did you mean "reason"?)'],
      [file(entry.replace("server", "servers")), 'e/liar.yaml:3:17 unknown scenario "broken-policy-servers"'],
      [file(entry).replace("liar", "lier"), 'e/liar.yaml:1:10 unknown subject "lier" (did you mean "liar"?)'],
      [file(entry).replace("liar", "reference"), "e/liar.yaml:1:10 the reference has no expected failures"],
      ["subject: liar\nexpected: []\n", 'e/liar.yaml:2:11 "expected": needs at least 1 item'],
      ["<<<<<<< ours\n", "e/liar.yaml:1:1 "],
    ] as const
  ) {
    const problems = await read(text);
    assert.ok(Array.isArray(problems) && problems.some((one) => one.startsWith(problem)), `${problem}\n${problems}`);
  }
  assert.match(String(await read(file(entry), "lair.yaml")), /e\/lair\.yaml:1:10 the file is called "lair\.yaml"/);
  assert.match(String(await read(file(entry), "liar.json")), /e\/liar\.json:1:1 is not read/);
  assert.ok(!Array.isArray(await read(file(entry))));
});

Deno.test("compareExpected() lets pass what is expected, and tells all else", async () => {
  const entry = "{ scenario: broken-policy-server, checks: 'run.*', reason: It crashes. }";
  assert.deepEqual(compare(await read(file(entry))), []);
  const other = await read(file("{ scenario: '*', checks: 'plan.*', reason: It plans badly. }"));
  const [first = "", second = ""] = compare(other);
  assert.match(first, /^liar: broken-policy-server not expected: fail run\.ended: /);
  assert.match(second, /^e\/liar\.yaml:3 stale: plan\.\* of \* goes well now; take the entry out$/);
  assert.deepEqual(compare(other, "fail", false).length, 1, "of a part nothing is stale");
});

Deno.test("compareExpected() finds an entry about a check that there is not", async () => {
  const [first = ""] = compare(
    await read(file(
      "{ scenario: '*', checks: run.ended, reason: It crashes. }",
      "{ scenario: '*', checks: run.endid, reason: It crashes. }",
    )),
  );
  assert.ok(first.startsWith('e/liar.yaml:4:30 unknown check "run.endid" (did you mean "run.ended"?)'), first);
});

Deno.test("compareExpected() never expects that the bench itself fails", async () => {
  const all = await read(file("{ scenario: '*', checks: '**', reason: Whatever. }"));
  assert.match(compare(all, "error")[0] ?? "", /not expected: error run\.ended/);
});

/** The folder of a project with two scenarios, one of which has a variant. */
async function readFolder(files: Readonly<Record<string, string>>) {
  const named = Object.entries(files).map(([name, text]) => [`e/${name}.yaml`, text] as const);
  await using folder = await TestFolder.make(Object.fromEntries(named));
  const names = { crews: new Set(["support"]), cells: new Set(["healthy-desk", "slow-desk", "slow-desk/twice"]) };
  const { files: read, problems } = await readExpected(`${folder.path}/e`, "e", ["reference", "liar"], names);
  return { liar: read.get("liar"), problems: problems.map(formatProblem) };
}

const held = (scenarios: string, scenario = "slow-desk") =>
  `subject: liar\nscenarios: ${scenarios}\nexpected:\n  - { scenario: ${scenario}, checks: run.ended, reason: It lies. }\n`;

Deno.test("readExpected() reads what a subject is run in, and lists of that which files share", async () => {
  const list = "scenarios: [slow-desk/twice]\n";
  const { liar, problems } = await readFolder({ _few: list, liar: held("[_few, healthy-desk]") });
  assert.deepEqual(problems, []);
  const cells = [["healthy-desk", null], ["slow-desk", null], ["slow-desk", "twice"]] as const;
  const isIn = cells.map(([scenario, variant]) => isHeld(liar, { scenario, variant }));
  assert.deepEqual(isIn, [true, false, true]);
  assert.ok(
    cells.every(([scenario, variant]) => isHeld(undefined, { scenario, variant })),
    "without a file, everything",
  );
});

Deno.test("readExpected() is red about scenarios and lists that there are not, or that nothing of is run", async () => {
  for (
    const [files, problem] of [
      [{ liar: held("[slow-dsk]") }, 'e/liar.yaml:2:13 unknown scenario "slow-dsk" (did you mean "slow-desk"?)'],
      [{ liar: held("[_few]") }, 'e/liar.yaml:2:13 unknown list of scenarios "_few"'],
      [{ liar: held("[]") }, 'e/liar.yaml:2:12 "scenarios": needs at least 1 item'],
      [{ liar: held("[healthy-desk]") }, 'e/liar.yaml:4:17 "slow-desk" is not among the scenarios of this file'],
      [{ _few: "scenarios: [slow]\n", liar: held("[_few, slow-desk]") }, 'e/_few.yaml:1:13 unknown scenario "slow"'],
      [{ _few: "scenario: [slow]\n", liar: held("[_few]") }, 'e/_few.yaml:1:1 unknown key "scenario"'],
      [{ _few: "scenarios: [slow-desk]\n", liar: held("[slow-desk]") }, "e/_few.yaml:1:12 no file names this list"],
    ] as const
  ) {
    const { problems } = await readFolder(files);
    assert.ok(problems.some((one) => one.startsWith(problem)), `${problem}\n${problems.join("\n")}`);
  }
});

Deno.test("compareExpected() calls each scenario of an entry stale by itself", async () => {
  const entry = "{ scenario: [broken-policy-server, '*-policy-server'], checks: run.ended, reason: It crashes. }";
  const expected = await read(file(entry));
  assert.deepEqual(compare(expected), []);
  assert.ok(!Array.isArray(expected));
  const { changes } = compareExpected("liar", expected, [ran], true);
  assert.deepEqual(changes.map(({ facts }) => facts.join()), [
    "stale: run.ended of broken-policy-server goes well now; take the entry out",
    "stale: run.ended of *-policy-server goes well now; take the entry out",
  ]);
});
