import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { figuresOf, type Judged } from "./verify_figures.ts";
import { parseRows, RowsError } from "./verify_rows.ts";

const ROW = JSON.stringify({
  id: "1",
  source: "s",
  evidence: ['{"total": 7}'],
  claim: "The total is 7.",
  label: "supported",
});

Deno.test("parseRows() names file, line, member and what is allowed", () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(
      () => parseRows("x.jsonl", text),
      (error) => error instanceof RowsError && message.test(error.message),
    );
  refused("", /^x\.jsonl:1 has no rows; a row is \{id/);
  refused(`${ROW}\n\nnot json`, /^x\.jsonl:3 is not JSON; a row is \{id/);
  refused(ROW.replace('"supported"', '"maybe"'), /^x\.jsonl:1 label: .*; a row is \{id/);
  refused(ROW.replace('["', '[1,"'), /^x\.jsonl:1 evidence\.0: .*; a row is/);
  refused("[]", /^x\.jsonl:1 the row: .*; a row is/);
});

Deno.test("parseRows() passes over empty lines and members that it does not know", () => {
  assert.deepEqual(parseRows("x.jsonl", `${ROW}\n\n${ROW}\n`).map(({ id }) => id), ["1", "1"]);
});

Deno.test("figuresOf() counts undetermined as not flagged, and leaves it out where it says so", () => {
  const rows: Judged[] = [
    { label: "unsupported", verdict: "unsupported" },
    { label: "unsupported", verdict: "undetermined" },
    { label: "supported", verdict: "supported" },
    { label: "supported", verdict: "unsupported" },
    { label: "supported", verdict: "undetermined" },
  ];
  assert.deepEqual(figuresOf(rows), {
    rows: 5,
    balancedAccuracy: (0.5 + 1 - 1 / 3) / 2,
    precision: 0.5,
    recall: 0.5,
    undetermined: 2 / 5,
    balancedAccuracyDetermined: (1 + 1 - 1 / 2) / 2,
  });
});

Deno.test("figuresOf() has no figure where there is nothing to divide by", () => {
  const figures = figuresOf([{ label: "supported", verdict: "supported" }]);
  assert.equal(figures.balancedAccuracy, null);
  assert.equal(figures.precision, null);
});

/** Runs the command as the task does, for a user who stands in `from`. */
async function run(from: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = fileURLToPath(new URL("./verify.ts", import.meta.url));
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--quiet", "--allow-read", script, from, ...args],
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("perf:verify prints a table of at most 80 columns, and JSON, for a folder relative to the user's", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.mkdirSync(`${folder}/rows`);
    Deno.writeTextFileSync(
      `${folder}/rows/some_rows.jsonl`,
      `${ROW}\n${ROW.replace("is 7", "is 9").replace('"supported"', '"unsupported"')}\n`,
    );
    const shown = await run(folder, "--", "rows");
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^some_rows +2 +1\.000 +1\.000 +1\.000 +\.000 +1\.000 +\d/m);
    assert.ok(shown.stdout.split("\n").every((line) => line.length <= 80));
    const json: unknown = JSON.parse((await run("/", "--", `${folder}/rows`, "--json")).stdout);
    assert.ok(Array.isArray(json) && json.length === 1);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("perf:verify refuses a folder or rows that it cannot use with one line and exit code 2", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    for (const args of [[], ["--", "nowhere"], ["--", "."], ["--", ".", "more"], ["--", "--what"]]) {
      const { code, stdout, stderr } = await run(folder, ...args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /^[^\n]*usage: deno task perf:verify[^\n]*\n$/);
    }
    Deno.writeTextFileSync(`${folder}/bad.jsonl`, `${ROW}\n{}\n`);
    const { code, stderr } = await run(folder, "--", ".");
    assert.equal(code, 2);
    assert.match(stderr, /bad\.jsonl:2 id: [^\n]*\n$/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
