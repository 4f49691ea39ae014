import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { testFiles } from "./run_tests.ts";
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

Deno.test("entriesOf() refuses what is no test file, and what stands there twice", () => {
  for (const alone of [["core/gone_test.ts"], ["core/a_test.ts", "core/a_test.ts"]]) {
    assert.throws(() => entriesOf(FILES, alone), RangeError);
  }
});

Deno.test("sourceOf() imports one file after the other", () => {
  assert.equal(
    sourceOf({ name: "core-all", files: ["core/a_test.ts", "core/b b_test.ts"] }, new URL("file:///p/")),
    'await import("file:///p/core/a_test.ts");\nawait import("file:///p/core/b%20b_test.ts");\n',
  );
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

Deno.test("every test file of the project is in exactly one entry, and each entry has a name of its own", async () => {
  const files = await testFiles(ROOT);
  const entries = entriesOf(files);
  assert.deepEqual(entries.flatMap(({ files }) => files).sort(), files);
  assert.equal(new Set(entries.map(({ name }) => name)).size, entries.length);
  assert.ok(files.includes("harness/tools/run_tests_test.ts") && files.length > 300);
});
