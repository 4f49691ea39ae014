import assert from "node:assert/strict";
import { findScenarios } from "./find.ts";
import { misnamed } from "./misnamed.ts";
import { formatProblem } from "./problem.ts";
import { SOUND, sound, TestFolder } from "./test_folder.ts";

Deno.test("misnamed() finds a scenario of the project that its file does not name, and leaves others alone", async () => {
  await using folder = await TestFolder.make({
    "scenarios/support/sound.yaml": SOUND,
    "scenarios/support/other.yml": sound("name: sound", "name: something"),
    "elsewhere/mine.yaml": sound("name: sound", "name: yours"),
  });
  const root = `${folder.path}/scenarios`;
  const found = await findScenarios(root, ["support", "./elsewhere"], { cwd: folder.path, base: folder.path });
  assert.equal(found.length, 3);
  assert.deepEqual(misnamed(found, root).map(formatProblem), [
    'scenarios/support/other.yml:1:7 name "something" is not that of its file; write "name: other", or call the file something.yaml',
  ]);
});
