/** A planted secret is in no artifact. */
import assert from "node:assert/strict";
import type { Subject } from "../../agents/mod.ts";
import { OUTPUT_EXTENSIONS } from "../cli/options.ts";
import { compareSides } from "../compare/compare.ts";
import { renderCompareMarkdown } from "../compare/markdown.ts";
import { readReport } from "../compare/read.ts";
import { compareReport, renderCompareJson } from "../compare/report.ts";
import { duelsInside } from "../compare/sides.ts";
import { renderCompareTerminal } from "../compare/terminal.ts";
import { gateAnnotations } from "../gate/annotations.ts";
import { gateJUnit } from "../gate/junit.ts";
import { gateMarkdown } from "../gate/markdown.ts";
import { tellChanges } from "../gate/tell.ts";
import { verdictJson } from "../gate/verdict.ts";
import { compareCells } from "../golden/compare.ts";
import { renderGolden } from "../golden/file.ts";
import { goldenCell, makeGoldens } from "../golden/make.ts";
import { renderTable } from "../golden/table.ts";
import { simLane } from "../lanes/sim.ts";
import { renderAnnotations } from "../report/annotations.ts";
import { renderJson } from "../report/json.ts";
import { rendererOf } from "../report/render.ts";
import { makeReport } from "../report/report.ts";
import { renderTerminal } from "../report/terminal.ts";
import { type CellResult, runCells } from "../runner/run.ts";
import type { Scenario } from "../scenario/mod.ts";
import { scoreTrace } from "../score/score.ts";
import { cellSpec, runOne, scenarioNamed } from "../testing/cells.ts";
import { answering, asking, subject, telling } from "../testing/subjects.ts";
import { writeTrace } from "../trace/jsonl.ts";
import { readTrace } from "../trace/read.ts";

const SECRET = 'pg://desk:"Tr0ub4dor"@10.0.0.7/?key=a/b+c==';

/** The secret in whatever form: a part that no form changes is enough to give it away. */
const TRACES = ["Tr0ub4dor", SECRET, JSON.stringify(SECRET), encodeURIComponent(SECRET), btoa(SECRET).slice(4, 20)];

/** An error that quotes the secret in each form that a redactor knows. */
const QUOTED = `cannot connect to ${SECRET} (${btoa(SECRET)}, ${encodeURIComponent(SECRET)}, ${
  JSON.stringify({ dsn: SECRET })
}, ${JSON.stringify(JSON.stringify([SECRET]))})`;

/** A scenario whose server says the secret, and whose own texts have it. */
function leaking(): Scenario {
  const broken = scenarioNamed("broken-policy-server");
  return {
    ...broken,
    secrets: { dsn: SECRET },
    story: `${broken.story} (${SECRET})`,
    faults: [{ fault: "tool_error", at: "policy.check_policy", message: QUOTED }],
  };
}

/** Subjects that say the secret wherever a subject can say anything. */
const BABBLERS: readonly Subject[] = [
  asking("babbling", (request) => ({ ...request, system: `${request.system} ${SECRET}` })),
  answering("printing", (answer) => ({
    ...answer,
    text: `${answer.text}\n${QUOTED}\nThe ${SECRET} specialist failed (timeout).`,
    sections: answer.sections.map((section) => ({ ...section, text: `${section.text}\n${QUOTED}` })),
    failures: answer.failures.map((failure) => ({ ...failure, detail: QUOTED, effect: SECRET })),
  })),
  telling("telling", (_, detail) => ({ ...detail, [SECRET]: { said: QUOTED } })),
  subject("throwing", () => Promise.reject(new Error(QUOTED))),
];

/** Every text that is made of a run: of its report in each form, its goldens, a gate, a comparison, and scores again. */
async function outputsOf(results: readonly CellResult[]): Promise<Map<string, string>> {
  const report = makeReport(results);
  const outputs = new Map<string, string>();
  outputs.set("trace", results.map(({ trace }) => writeTrace(trace)).join(""));
  for (const extension of OUTPUT_EXTENSIONS) {
    const text = (await rendererOf(`report${extension}`))(report);
    outputs.set(extension, typeof text === "string" ? text : [...text].join(""));
  }
  for (const [columns, timeline, list] of [[10_000, "all", true], [60, "all", false], [80, "auto", true]] as const) {
    const screen = { columns, colour: columns === 80, timeline, list, files: [], elapsedMs: 1 };
    outputs.set(`terminal of ${columns} columns`, renderTerminal(report, results, screen));
  }
  outputs.set("annotations", renderAnnotations(report));

  const goldens = makeGoldens(results);
  outputs.set("goldens", goldens.map(renderGolden).join("") + renderTable(goldens));
  const healthy = goldenCell(await runOne(cellSpec("broken-policy-server")));
  const changes = results.flatMap((result) => compareCells("cell", healthy, goldenCell(result), result.trace));
  const verdict = { changes, problems: [], results, goldens: "reports/golden" };
  outputs.set("gate", tellChanges(changes) + verdictJson(verdict) + gateMarkdown(verdict) + gateAnnotations(verdict));
  outputs.set("gate as JUnit", gateJUnit(verdict));

  const read = readReport(outputs.get(".json") ?? "", "report.json");
  assert.ok(read.ok);
  const comparisons = duelsInside(read.cells, "subject", "reference").map((duel) => compareSides(duel, "0"));
  const compared = compareReport(comparisons, "0");
  outputs.set("compare", renderCompareJson(compared) + renderCompareMarkdown(compared));
  outputs.set("compare on a terminal", renderCompareTerminal(compared, { columns: 80, colour: false }));

  const again = results.map(({ trace }) => {
    const reread = readTrace(writeTrace(trace));
    return { trace: reread, scorecard: scoreTrace(reread) };
  });
  outputs.set("scored again", renderJson(makeReport(again)));
  return outputs;
}

Deno.test("a secret that servers and subjects say is in no output of any kind", async () => {
  const scenario = leaking();
  const specs = [cellSpec(scenario), ...BABBLERS.map((subject) => cellSpec(scenario, { subject }))];
  const results = await runCells(specs, { jobs: 1, openLane: () => simLane() });
  const outputs = await outputsOf(results);
  for (const [name, text] of outputs) {
    assert.ok(text.length > 100, `${name} says something`);
    for (const form of TRACES) assert.ok(!text.includes(form), `${name} has ${form}`);
  }
  assert.equal(outputs.get("scored again"), outputs.get(".json"));
  assert.match(outputs.get("trace") ?? "", /cannot connect to \[secret:dsn\]/, "the error did go by");
  assert.match(outputs.get(".json") ?? "", /cannot connect to pg:\/\/desk:\[redacted\]@/, "the reference took it out");
  assert.match(outputs.get("goldens") ?? "", /\[secret:dsn\]/, "and somebody else did not");
  assert.match(outputs.get("gate") ?? "", /\[secret:dsn\]/);
  assert.deepEqual(results.map(({ trace: { cell }, scorecard: { outcome } }) => `${cell.subject} ${outcome}`), [
    "reference pass",
    "babbling pass",
    "printing fail",
    "telling pass",
    "throwing fail",
  ]);
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
    const reports = OUTPUT_EXTENSIONS.flatMap((extension) => ["-o", `${temp}/out/report${extension}`]);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      // deno-fmt-ignore
      args: ["run", "--no-prompt", "--allow-read", `--allow-write=reports/runs,${temp}`, "--allow-run", "--allow-env",
        "harness/cli/main.ts", "run", `${temp}/in`, "--lane", "both", ...reports, "--trace", `${temp}/out/traces`,
        "--timeline"],
      env: { GITHUB_ACTIONS: "true" },
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    await Deno.writeFile(`${temp}/out/stdout`, stdout);
    await Deno.writeFile(`${temp}/out/stderr`, stderr);
    const files = ["out", "out/traces"].flatMap((folder) =>
      [...Deno.readDirSync(`${temp}/${folder}`)].filter(({ isFile }) => isFile).map(({ name }) => `${folder}/${name}`)
    );
    assert.equal(files.length, 9, "a report in five forms, two streams, and a trace for each lane");
    for (const file of files) {
      const text = await Deno.readTextFile(`${temp}/${file}`);
      for (const form of TRACES) assert.ok(!text.includes(form), `${file} has ${form}`);
      if (file.startsWith("out/traces/")) assert.equal(new Set(text.match(/"server":"\w+"/g)).size, 3);
    }
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
});
