import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { wireLane } from "../../lanes/wire.ts";
import { modelFlags, scriptedProvider } from "../../models/testing.ts";
import { scenarioNamed } from "../../testing/cells.ts";
import { checkOf, notGreen, recordedTwice, runCommand } from "./testing.ts";

/** The stock clients of the examples, in the versions in which they are known to work. */
const PACKAGES = ["openai@7.59.0", "@anthropic-ai/sdk@1.14.0", "@modelcontextprotocol/sdk@1.32.2"];
const EXAMPLES = fileURLToPath(new URL("./examples", import.meta.url));
const WANTED = Deno.env.get("BROWNOUT_BLACK_BOX") === "1";
const WHY_NOT = WANTED ? "" : " (not run: it needs Node, npm, its registry and python3; BROWNOUT_BLACK_BOX=1 runs it)";

/** A server that fails; one that is not there; a model that is busy, and a plan of which all comes out. */
const SCENARIOS = ["broken-policy-server", "kb-server-crashes-on-start", "model-rate-limited"];
/** Each example, and where it has to hold. */
const COMMANDS: readonly (readonly [command: string, scenarios: readonly string[]])[] = [
  ["node openai_agent.mjs", SCENARIOS],
  // What it does about servers is what the one above does: they have it from the same file.
  ["node responses_agent.mjs", ["broken-policy-server", "model-rate-limited"]],
  ["node anthropic_agent.mjs", SCENARIOS],
  ["python3 agent.py", SCENARIOS],
];

/** The examples in a folder of their own, with their packages. */
async function installed(): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout-examples-" });
  for await (const { name } of Deno.readDir(EXAMPLES)) await Deno.copyFile(`${EXAMPLES}/${name}`, `${folder}/${name}`);
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", "--silent", ...PACKAGES],
    cwd: folder,
    stdin: "null",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return folder;
}

Deno.test({
  name: `the README's own orchestrator runs as it stands there${WHY_NOT}`,
  ignore: !WANTED,
  async fn() {
    const readme = await Deno.readTextFile(fileURLToPath(new URL("../../../README.md", import.meta.url)));
    const [, program = ""] = /```python\n(.*?)```/s.exec(readme) ?? [];
    const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout-examples-" });
    try {
      await Deno.writeTextFile(`${folder}/my_agent.py`, program);
      await using lane = wireLane();
      const result = await runCommand(lane, `python3 ${folder}/my_agent.py`, { scenario: "healthy-desk" });
      for (const id of ["run.ended", "run.drained", "run.script", "coherence.status", "coherence.prose"]) {
        assert.match(checkOf(result, id), /^pass: /);
      }
      // It has done nothing, and says so; that is honest, and not what was to be done.
      assert.match(checkOf(result, "answer.status"), /^fail: /);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: `strangers with stock clients, each in a process of its own, answer as they should${WHY_NOT}`,
  ignore: !WANTED,
  async fn(t) {
    const folder = await installed();
    try {
      await using lane = wireLane();
      for (const [command, scenarios] of COMMANDS) {
        const [program = "", file = ""] = command.split(" ");
        for (const scenario of scenarios) {
          await t.step(`${file}: ${scenario}`, async () => {
            assert.deepEqual(notGreen(await runCommand(lane, `${program} ${folder}/${file}`, { scenario })), []);
          });
        }
        await t.step(`${file}: on live models, recorded and replayed offline`, async () => {
          const scenario = scenarioNamed("broken-policy-server");
          await using provider = await scriptedProvider(scenario);
          const model = modelFlags(scenario, (agent) => `compatible:${agent}@${provider.endpoint.url}/v1`);
          const { recorded, askedAgain } = await recordedTwice(lane, `${program} ${folder}/${file}`, {
            ...{ scenario, model, provider },
          });
          assert.deepEqual(notGreen(recorded), []);
          assert.equal(askedAgain, 0);
        });
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
