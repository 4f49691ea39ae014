import assert from "node:assert/strict";
import { bench } from "./test_io.ts";

const CODE = 'def load(db, ids):\n    for i in ids:\n        db.execute(f"SELECT a FROM t WHERE id = {i}")\n';

/** Runs `bench run …` from a folder with the user's files in it. */
async function run(files: Record<string, string | Uint8Array>, args: readonly string[]) {
  const cwd = await Deno.makeTempDir({ dir: "/tmp" });
  try {
    for (const [name, content] of Object.entries(files)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${cwd}/${name}`, bytes);
    }
    const { code, out, err } = await bench(["run", ...args, "--lane", "sim", "--trace", `${cwd}/traces`], { cwd });
    const report = args.includes("r.md") ? await Deno.readTextFile(`${cwd}/r.md`).catch(() => "") : "";
    return { code, out, err: err.replaceAll(cwd, "CWD"), report };
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

Deno.test("bench run --input reviews the user's file, and prints the review, worst first", async () => {
  const { code, out } = await run({ "mine.py": CODE }, ["review", "--input", "code=mine.py"]);
  assert.equal(code, 0);
  const places = ["CRITICAL: mine.py:3", "HIGH: mine.py:3", "LOW: mine.py:1", "Brownout: 1 scenario"].map((text) =>
    out.indexOf(text)
  );
  assert.ok(places.every((at, i) => at >= 0 && at > (places[i - 1] ?? -1)), out);
  assert.match(out, /No maintainability findings in 3 lines of mine\.py/);
});

Deno.test("bench run --input takes a diff for a change", async () => {
  const diff = "--- a/mine.py\n+++ b/mine.py\n@@ -7 +7,2 @@\n eval(x)\n+eval(y)\n";
  for (const name of ["mine.diff", "mine.PATCH"]) {
    const { code, out } = await run({ [name]: diff }, ["your-code", "--input", `code=${name}`]);
    assert.equal(code, 0);
    assert.match(out, /HIGH: mine\.py:8 eval runs text as code/);
    assert.doesNotMatch(out, /mine\.py:7/);
  }
});

Deno.test("bench run --input lets no file's name tell the terminal what to do", async () => {
  const diff = "--- a/x.py\n+++ b/\u001b]0;mine\u0007x.py\n@@ -0,0 +1 @@\n+eval(x)\n";
  const { code, out } = await run({ "m.diff": diff }, ["review", "--input", "code=m.diff"]);
  assert.equal(code, 0);
  assert.ok(!out.includes("\u001b") && !out.includes("\u0007"));
  assert.match(out, /HIGH: \\u\{1b\}\]0;mine\\u\{7\}x\.py:1/);
});

Deno.test("bench run --input has the answer in the reports, too", async () => {
  const json = await run({ "mine.py": CODE }, ["review", "--input", "code=mine.py", "--json"]);
  const [cell] = JSON.parse(json.out).cells;
  assert.deepEqual(cell.given, { code: "mine.py" });
  assert.match(cell.answer.text, /^\[security\] CRITICAL: mine\.py:3 /);
  const { report } = await run({ "mine.py": CODE }, ["review", "--input", "code=mine.py", "-o", "r.md"]);
  assert.match(report, /^Answer about `mine\.py`:\n\n```text\n\[security\] CRITICAL: mine\.py:3 /m);
});

Deno.test("bench run --input never says that an unreadable language has no findings", async () => {
  const { code, out } = await run({ "a.cob": "MOVE A TO B.\n" }, ["review", "--input", "code=a.cob"]);
  assert.equal(code, 0);
  assert.match(out, /^INCOMPLETE REVIEW - not run: security \(tool_error\)/m);
  assert.doesNotMatch(out, /No security findings/);
});

Deno.test("bench run --input names the files of a diff that nobody has inspected", async () => {
  const part = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+eval(x)\n`;
  const { code, out } = await run({ "m.diff": part("a.cob") + part("a.py") }, ["review", "--input", "code=m.diff"]);
  assert.equal(code, 0);
  assert.match(out, /HIGH: a\.py:1 eval runs/);
  assert.match(out, /No docs findings in 1 added line of a\.py; not inspected: a\.cob/);
});

Deno.test("bench run --input loses no file for its name", async () => {
  const { out } = await run({ ["__proto__"]: "eval(x)\n" }, ["review", "--input", "code=__proto__"]);
  assert.match(out, /^INCOMPLETE REVIEW - not run: security \(tool_error\)/m);
});

const REFUSED: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [["review", "--input", "code=none.py"], /"CWD\/none\.py": no such file/],
  [["review", "--input", "code=not.diff"], /"not\.diff": no hunk of a unified diff in it/],
  [["review", "--input", "code=cut.diff"], /"cut\.diff": line 3: the hunk has fewer lines than its header says/],
  [["review", "--input", "code=empty.py"], /empty\.py" is empty: there is nothing to look at/],
  [["review", "--input", "code=empty.diff"], /empty\.diff" is empty/],
  [["review", "--input", "code=."], /"CWD" is a folder; give one file/],
  [["review", "--input", "code=zero.py"], /is no text in UTF-8/],
  [["review", "--input", "code=latin.py"], /is no text in UTF-8/],
  [["review", "--input", "code=large.py"], /has 1048577 bytes; at most 1048576 \(1 MB\) are taken/],
  [["review", "--input", "cod=a.py"], /unknown input "cod" \(did you mean "code"\?\); your-code takes code/],
  [["review", "--input", "__proto__=a.py"], /unknown input "__proto__"; your-code takes code/],
  [["review", "--input", "a.py"], /--input "a\.py" is not NAME=FILE, as in code=shop\/db\.py/],
  [["review", "--input", "code=a.py", "--input", "code=a.py"], /"code" is given twice/],
  [["healthy-review", "--input", "code=a.py"], /no scenario that is selected takes input \(healthy-review\)/],
  [["review", "healthy-desk", "--input", "code=a.py"], /is for your-code; these are selected, too, .*: healthy-desk/],
];

for (const [args, message] of REFUSED) {
  Deno.test(`bench run ${args.join(" ")} is refused in one line, exit 2`, async () => {
    const files = {
      "a.py": CODE,
      "not.diff": "hello\n",
      "cut.diff": "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n eval(x)\n",
      "empty.py": "\n",
      "empty.diff": "",
      "zero.py": "a\0b",
      "latin.py": new Uint8Array([0x61, 0xe4, 0x0a]),
      "large.py": "x".repeat(1_048_577),
    };
    const { code, out, err } = await run(files, args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, message);
    assert.match(err, /^brownout: [^\n]*\n$/);
  });
}
