import assert from "node:assert/strict";
import { formatProblem } from "../scenario/mod.ts";
import { TestFolder } from "../scenario/test_folder.ts";
import { scorecard } from "../score/check.ts";
import { cellSpec, runOne } from "../testing/cells.ts";
import { compareExpected, type ExpectedFailures, readExpected } from "./expected.ts";

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
