import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withInput } from "./input.ts";
import { loadScenario } from "./load.ts";
import { resolve } from "./resolve.ts";
import type { Scenario } from "./schema.ts";

async function yourCode(): Promise<Scenario> {
  const loaded = await loadScenario(fileURLToPath(new URL("../../scenarios/review/your-code.yaml", import.meta.url)));
  assert.ok(loaded.ok);
  const resolved = resolve(loaded.value, null);
  assert.ok(resolved.ok);
  return resolved.value;
}

Deno.test("withInput() puts a file in place of the scenario's own, and expects nothing of it", async () => {
  const scenario = await yourCode();
  const given = withInput(scenario, new Map([["code", { name: "a.py", text: "x = 1\n" }]]));
  assert.deepEqual(given.servers.code?.files, { "a.py": "x = 1\n" });
  assert.deepEqual(given.servers.code?.references, scenario.servers.code?.references);
  assert.deepEqual([given.expect, given.playback, given.given], [undefined, "lenient", { code: "a.py" }]);
  assert.ok(scenario.expect !== undefined && scenario.given === undefined, "the scenario stays what it was");
});

Deno.test("withInput() gives a diff to the member that takes diffs, and refuses it where there is none", async () => {
  const scenario = await yourCode();
  const diff = new Map([["code", { name: "a.diff", text: "--- a/a.py\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n" }]]);
  const { files, diff: taken } = withInput(scenario, diff).servers.code ?? {};
  assert.deepEqual([files, typeof taken], [{}, "string"]);
  const none = { ...scenario, input: { code: { server: "code", files: "files" } } };
  assert.throws(() => withInput(none, diff), /"a\.diff": "code" takes no diffs/);
});

Deno.test("withInput() refuses what the server's data does not allow", async () => {
  const scenario = await yourCode();
  const large = new Map([["code", { name: "a.py", text: "x".repeat(1_048_577) }]]);
  assert.throws(() => withInput(scenario, large), /"a\.py": more than 1048576 characters/);
});
