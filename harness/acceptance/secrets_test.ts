/** A planted secret is in no artifact. */
import assert from "node:assert/strict";
import { simLane } from "../lanes/sim.ts";
import { renderJson } from "../report/json.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { makeReport } from "../report/report.ts";
import { renderTerminal } from "../report/terminal.ts";
import { runCells } from "../runner/run.ts";
import { cellSpec, scenarioNamed } from "../testing/cells.ts";
import { asking } from "../testing/subjects.ts";
import { writeTrace } from "../trace/jsonl.ts";

const SECRET = 'pg://desk:"Tr0ub4dor"@10.0.0.7/?key=a/b+c==';

/** The secret in whatever form: a part that no form changes is enough to give it away. */
const TRACES = ["Tr0ub4dor", SECRET, JSON.stringify(SECRET), encodeURIComponent(SECRET), btoa(SECRET).slice(4, 20)];

Deno.test("a secret in a server's error text is in no trace and no report", async () => {
  const broken = scenarioNamed("broken-policy-server");
  const scenario = {
    ...broken,
    secrets: { dsn: SECRET },
    story: `${broken.story} (${SECRET})`,
    faults: [{
      fault: "tool_error",
      at: "policy.check_policy",
      message: `cannot connect to ${SECRET} (${btoa(SECRET)}, ${encodeURIComponent(SECRET)}, ${
        JSON.stringify({ dsn: SECRET })
      })`,
    }],
  };
  const babbling = asking("babbling", (request) => ({ ...request, system: `${request.system} ${SECRET}` }));
  const specs = [cellSpec(scenario), cellSpec(scenario, { subject: babbling })];
  const results = await runCells(specs, { jobs: 1, openLane: () => simLane() });
  const report = makeReport(results);
  const artifacts = {
    trace: results.map(({ trace }) => writeTrace(trace)).join(""),
    json: renderJson(report),
    markdown: renderMarkdown(report),
    terminal: renderTerminal(report, results, {
      columns: 10_000,
      colour: false,
      timeline: "all",
      files: [],
      elapsedMs: 1,
    }),
  };
  for (const [name, text] of Object.entries(artifacts)) {
    for (const form of TRACES) assert.ok(!text.includes(form), `${name} has ${form}`);
  }
  assert.match(artifacts.trace, /cannot connect to \[secret:dsn\]/, "the error did go by");
  assert.match(artifacts.json, /cannot connect to pg:\/\/desk:\[redacted\]@/, "the reference took it out by itself");
  assert.deepEqual(results.map(({ scorecard }) => scorecard.outcome), ["pass", "pass"]);
});

Deno.test("a secret in every server's error text is in nothing that the command writes or prints", async () => {
  const temp = await Deno.makeTempDir({ prefix: "brownout-secrets-" });
  try {
    const source = await Deno.readTextFile("scenarios/support/everything-broken.yaml");
    const planted = source
      .replace("world: _world.yaml", `world: _world.yaml\nsecrets: { dsn: ${JSON.stringify(SECRET)} }`)
      .replace(/message: ([^}]+) }/g, (_, text) => `message: ${JSON.stringify(`${text}: ${SECRET}`)} }`);
    assert.equal(
      planted.split(JSON.stringify(SECRET).slice(1, -1)).length - 1,
      4,
      "once declared, and in three servers",
    );
    await Deno.mkdir(`${temp}/in`);
    await Deno.writeTextFile(`${temp}/in/everything-broken.yaml`, planted);
    await Deno.copyFile("scenarios/support/_world.yaml", `${temp}/in/_world.yaml`);
    for (const name of ["report.json", "report.md"]) {
      const files = ["-o", `${temp}/out/${name}`, "--trace", `${temp}/out/traces`, "--timeline"];
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        // deno-fmt-ignore
        args: ["run", "--no-prompt", "--allow-read", `--allow-write=reports/runs,${temp}`, "--allow-run", "--allow-env",
          "harness/cli/main.ts", "run", `${temp}/in`, "--lane", "both", ...files],
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      await Deno.writeFile(`${temp}/out/${name}.stdout`, stdout);
      await Deno.writeFile(`${temp}/out/${name}.stderr`, stderr);
    }
    const written = [...Deno.readDirSync(`${temp}/out`), ...Deno.readDirSync(`${temp}/out/traces`)]
      .filter(({ isFile }) => isFile).map(({ name }) => name);
    assert.equal(written.length, 8, "two reports, their two streams each, and a trace for each lane");
    for (const name of written) {
      const text = await Deno.readTextFile(`${temp}/out/${name.endsWith(".jsonl") ? `traces/${name}` : name}`);
      for (const form of TRACES) assert.ok(!text.includes(form), `${name} has ${form}`);
      if (name.endsWith(".jsonl")) assert.equal(new Set(text.match(/"server":"\w+"/g)).size, 3);
    }
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
});
