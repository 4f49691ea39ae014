import assert from "node:assert/strict";
import { sound, TestFolder } from "../scenario/test_folder.ts";
import { bench } from "./test_io.ts";

Deno.test("validate finds nothing wrong with the project's own scenarios", async () => {
  const { code, out, err } = await bench(["validate"]);
  assert.equal(out, "");
  assert.match(err, /^\d+ scenarios?: valid\n$/);
  assert.equal(code, 0);
});

Deno.test("validate prints each problem on a line of stdout, and a summary on stderr, exit 2", async () => {
  await using folder = await TestFolder.make({
    "a.yaml": sound("fault: latency", "fault: latancy").replace("status:", "sttus:"),
    "b.yaml": sound("name: sound", "name: other"),
    "c.yaml": sound("name: sound", "name: other"),
    "d.yaml": "",
  });
  const { code, out, err } = await bench(["validate", "."], { cwd: folder.path });
  assert.equal(code, 2);
  assert.deepEqual(out.trimEnd().split("\n").map((line) => line.slice(folder.path.length + 1).split(";")[0]), [
    'a.yaml:13:14 "fault": unknown fault "latancy" (did you mean "latency"?)',
    'a.yaml:15:3 missing key "status": add it, one of complete, degraded, failed',
    'a.yaml:15:3 unknown key "sttus" (did you mean "status"?)',
    `c.yaml:1:7 name "other" is taken by ${folder.path}/b.yaml`,
    "d.yaml:1:1 is empty",
  ]);
  assert.equal(err, "4 scenarios: 5 problems\n");
});

Deno.test("validate --json gives the files and the problems with their places", async () => {
  await using folder = await TestFolder.make({ "a.yaml": sound("crew: support", "crew: suport") });
  const { code, out } = await bench(["validate", "--json", "a.yaml"], { cwd: folder.path });
  assert.equal(code, 2);
  const { files, problems } = JSON.parse(out);
  assert.deepEqual(files, [`${folder.path}/a.yaml`]);
  assert.deepEqual(problems.map(({ line, column }: { line: number; column: number }) => [line, column]), [[3, 7]]);
});

Deno.test("validate exits 5 on a directory without scenarios", async () => {
  await using folder = await TestFolder.make({ "empty/notes.txt": "" });
  const { code, out, err } = await bench(["validate", "./empty"], { cwd: folder.path });
  assert.deepEqual([code, out], [5, ""]);
  assert.match(err, /^brownout: no scenario in ".*"; a scenario is a \.yaml file whose name does not start with _\n$/);
});
