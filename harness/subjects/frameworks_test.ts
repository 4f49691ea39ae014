import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ElsewhereError } from "./elsewhere.ts";
import { FRAMEWORK_SUBJECTS } from "./frameworks.ts";
import { findSubject } from "./mod.ts";
import { relaunchArgs } from "./relaunch.ts";

const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("a framework is found by name, runs in wire only, and shows no more than who asks which model", () => {
  for (const { name } of FRAMEWORK_SUBJECTS) {
    const { kind, lanes, shows } = findSubject(name);
    assert.deepEqual([kind, lanes, shows], ["framework", ["wire"], ["agents"]], name);
  }
});

Deno.test("a framework is not loaded in a process that runs under another lock file", async () => {
  for (const { name, load } of FRAMEWORK_SUBJECTS) {
    await assert.rejects(load(), (error) => error instanceof ElsewhereError && error.subject === name);
  }
});

Deno.test("relaunchArgs() passes the words on as they are, under the frameworks' lock and with loopback only", () => {
  const words = ["run", "--subject", "ai-sdk", "a b", "--", "$HOME"];
  const args = relaunchArgs(words, "/home/me");
  assert.deepEqual(args.slice(-words.length), words);
  assert.ok(args.includes("--lock=frameworks/deno.lock") && args.includes("--frozen") && args.includes("--no-prompt"));
  assert.deepEqual(args.filter((one) => one.startsWith("--allow-net")), ["--allow-net=127.0.0.1"]);
  assert.ok(args.includes("--allow-write=reports/runs,/home/me,/tmp"));
  assert.ok(
    relaunchArgs(words, "/home/me,/").includes("--allow-write=reports/runs,/tmp"),
    "no path smuggles in another",
  );
});

Deno.test("neither the bench nor its tests have a framework in their graph or in their lock files", async () => {
  const judged = /@openai\/agents|langgraph-supervisor|npm:ai@|\/frameworks\//;
  for (const file of ["deno.lock", "deno.dev.lock"]) {
    assert.doesNotMatch(await Deno.readTextFile(`${ROOT}${file}`), judged, file);
  }
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--lock=deno.lock", "--frozen", "harness/subjects/mod.ts"],
    cwd: ROOT,
    stderr: "null",
  }).output();
  assert.ok(success);
  const graph = new TextDecoder().decode(stdout);
  assert.match(graph, /harness\/subjects\/frameworks\.ts/);
  assert.doesNotMatch(graph, judged);
});
