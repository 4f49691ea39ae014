import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { ranIn, refusalOf, testFiles, wordsOf, writeEntries } from "./run_tests.ts";
import { entriesOf, isTest, sourceOf } from "./test_entries.ts";

const ROOT = new URL("../../", import.meta.url);
const FILES = ["core/a_test.ts", "core/b_test.ts", "core/x/y/c_test.ts", "harness/few/d_test.ts", "e_test.ts"];
const MANY = ["1", "2", "3", "4", "5", "deep/6"].map((name) => `harness/many/${name}_test.ts`);

Deno.test("entriesOf() puts files together by folder, and small folders with those above; long files come first", () => {
  assert.deepEqual(entriesOf([...FILES, ...MANY], ["core/b_test.ts", "core/x/y/c_test.ts"]), [
    { name: "core-b", files: ["core/b_test.ts"] },
    { name: "core-x-y-c", files: ["core/x/y/c_test.ts"] },
    { name: "harness-many-all", files: MANY },
    { name: "core-all", files: ["core/a_test.ts"] },
    { name: "-all", files: ["e_test.ts"] },
    { name: "harness-all", files: ["harness/few/d_test.ts"] },
  ]);
});

Deno.test("entriesOf() refuses what is no test file, what stands there twice, and entries of one name", () => {
  for (const alone of [["core/gone_test.ts"], ["core/a_test.ts", "core/a_test.ts"]]) {
    assert.throws(() => entriesOf(FILES, alone), RangeError);
  }
  const alike = ["a/b-c_test.ts", "a-b/c_test.ts"];
  assert.throws(() => entriesOf(alike, alike), { name: "RangeError", message: /^two entries would be called a-b-c;/ });
});

Deno.test("wordsOf() gives all entries unless a path is typed: the value of an option is none", async () => {
  const entries = () => Promise.resolve(["e1", "e2"]);
  for (
    const [typed, words] of [
      ["", "e1 e2"],
      ["--filter x --fail-fast", "--filter x --fail-fast e1 e2"],
      ["--filter=x", "--filter=x e1 e2"],
      ["--reporter dot -- core/a", "--reporter dot e1 e2 -- core/a"],
      ["--filter x core", "--filter x core"],
      ["core --filter x", "core --filter x"],
    ] as const
  ) {
    const given = await wordsOf(typed.split(" ").filter((word) => word !== ""), entries);
    assert.deepEqual([given.words.join(" "), given.all], [words, words.includes("e1")], typed);
  }
});

Deno.test("sourceOf() imports one file after the other", () => {
  const imports = (root: string, ...files: string[]) =>
    sourceOf({ name: "x", files }, new URL(root)).split("\n").filter((line) => line.startsWith("await "));
  assert.deepEqual(imports("file:///p/", "core/a_test.ts", "core/b b_test.ts", "c:d/#a?%41_test.ts"), [
    'await import("file:///p/core/a_test.ts");',
    'await import("file:///p/core/b%20b_test.ts");',
    'await import("file:///p/c%3Ad/%23a%3F%2541_test.ts");',
  ]);
});

Deno.test("sourceOf() makes a file red that cannot be loaded, or that ends everything: those after it would be forgotten", async () => {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout-tests-" });
  const ends = { good: "", broken: 'throw new Error("no");', over: "Deno.exit(0);", gone: 'import "./none.ts";' };
  try {
    const entries = await Promise.all(
      Object.entries(ends).map(async ([name, text]) => {
        await Deno.writeTextFile(`${folder}/${name}_test.ts`, `${text}\nDeno.test("${name}", () => {});\n`);
        const path = `${folder}/${name}.ts`;
        await Deno.writeTextFile(path, sourceOf({ name, files: [`${name}_test.ts`] }, pathToFileURL(`${folder}/`)));
        return path;
      }),
    );
    const codes = await Promise.all(entries.map(async (path) => {
      const args = ["test", "--no-check", "--no-lock", "--no-config", "--quiet", "--allow-read", path];
      return (await new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "null" }).output()).code;
    }));
    assert.deepEqual(codes, [0, 1, 1, 1]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("isTest() takes what Deno takes for a test", () => {
  for (const name of ["a_test.ts", "a.test.ts", "test.ts", "a_test.tsx", "a_test.mjs"]) assert.ok(isTest(name), name);
  for (const name of ["a.ts", "latest.ts", "a_test.json", "testing.ts", "a_test.ts.md"]) assert.ok(!isTest(name), name);
});

Deno.test("testFiles() finds what is new, in whatever folder, and leaves out what is not the project's", async () => {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout-tests-" });
  try {
    const [mine, others] = [["a_test.ts", "new/b/c_test.ts", "new/reports/d.test.js"], ["frameworks/e_test.ts"]];
    for (const path of [...mine, ...others, "reports/runs/f_test.ts", ".git/g_test.ts", "new/h.ts"]) {
      await Deno.mkdir(`${folder}/${path}`.replace(/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, "");
    }
    assert.deepEqual(await testFiles(pathToFileURL(`${folder}/`)), mine);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("writeEntries() puts each entry in its place whole: who reads the one before reads all of it", async () => {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout-tests-" });
  try {
    await Deno.writeTextFile(`${folder}/a#_test.ts`, "");
    const root = pathToFileURL(`${folder}/`);
    const [path = ""] = await writeEntries(root, []);
    await Deno.writeTextFile(`${folder}/${path}`, "of another run");
    using before = await Deno.open(`${folder}/${path}`);
    assert.deepEqual(await writeEntries(root, []), [path]);
    assert.equal(await new Response(before.readable).text(), "of another run");
    assert.match(await Deno.readTextFile(`${folder}/${path}`), /^await import\("file:\/\/.*\/a%23_test\.ts"\);$/m);
    assert.deepEqual([...Deno.readDirSync(`${folder}/reports/runs/tests`)].map(({ name }) => name), ["-all_test.ts"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every test file of the project is in exactly one entry, and each entry has a name of its own", async () => {
  const files = await testFiles(ROOT);
  const entries = entriesOf(files);
  assert.deepEqual(entries.flatMap(({ files }) => files).sort(), files);
  assert.equal(new Set(entries.map(({ name }) => name)).size, entries.length);
  assert.ok(files.includes("harness/tools/run_tests_test.ts") && files.length > 300);
});

Deno.test("refusalOf() says what is no path, what has no value, and where no test is, before anything runs", async () => {
  for (
    const [typed, code, why] of [
      ["--filter", 2, /^--filter needs a value/],
      ["--filter --fail-fast core", 2, /^--filter needs a value/],
      ["core/nothere_test.ts", 2, /^"core\/nothere_test.ts" is not there/],
      ["core nothere", 2, /^"nothere" is not there/],
      ["README.md scenarios", 5, /no test in README.md, scenarios;/],
      ["", undefined, /^$/],
      ["--filter nothere --nope", undefined, /^$/],
      ["core/ README.md", undefined, /^$/],
      ["core/x*_test.ts ./harness/tools/run_tests_test.ts /tmp", undefined, /^$/],
      ["core -- nothere", undefined, /^$/],
    ] as const
  ) {
    const refusal = await refusalOf(typed.split(" ").filter((word) => word !== ""), ROOT);
    assert.equal(refusal?.code, code, typed);
    assert.match(refusal?.why ?? "", why, typed);
  }
});

Deno.test("ranIn() counts no test that was filtered out or ignored, whatever it is called", () => {
  const one = (name: string, inside = "") => `<testcase name="${name}" time="0.1">\n  ${inside}\n</testcase>\n`;
  assert.equal(ranIn(""), 0);
  assert.equal(ranIn(one("a", "<skipped/>")), 0);
  assert.equal(
    ranIn(one("&lt;skipped/&gt;") + one("b", "<skipped/>") + one("c", '<failure message="x">no</failure>')),
    2,
  );
});

Deno.test("the task ends with 5 if no test has run, with 2 and a sentence if an option is none, and is green otherwise", async () => {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout-tests-" });
  try {
    await Deno.writeTextFile(`${folder}/a_test.ts`, 'Deno.test("a", () => {});\n');
    const path = `${folder}/a_test.ts`;
    const script = new URL("run_tests.ts", import.meta.url).href;
    const ends = await Promise.all(
      [[path], ["--filter=zzz", path], ["--nope", path], ["--help"]].map(async (typed) => {
        const args = [
          "run",
          "--no-lock",
          "-A",
          script,
          "test",
          "--no-check",
          "--no-lock",
          "--no-config",
          "--",
          ...typed,
        ];
        const { code, stderr } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
        return [code, new TextDecoder().decode(stderr)] as const;
      }),
    );
    assert.deepEqual(ends.map(([code]) => code), [0, 5, 2, 0]);
    assert.match(ends[1]?.[1] ?? "", /^deno task test: nothing was selected: no test has run; .*--filter=zzz/m);
    assert.match(ends[2]?.[1] ?? "", /^deno task test: .*--nope.*; options are those of deno test\n$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
