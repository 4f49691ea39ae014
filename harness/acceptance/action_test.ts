/** The composite action does what it says, takes what anybody gives it for data, and the README's workflow is true. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import * as z from "zod";
import { COMMANDS } from "../cli/commands.ts";
import { TestFolder } from "../scenario/test_folder.ts";

const Step = z.object({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.string()).optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
});
type Step = z.infer<typeof Step>;
const Action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.object({ description: z.string(), value: z.string() })),
  runs: z.object({ using: z.literal("composite"), steps: z.array(Step) }),
});
const Workflow = z.object({
  jobs: z.record(z.string(), z.object({ "runs-on": z.string(), steps: z.array(Step) })),
});

const readme = await Deno.readTextFile("README.md");
const action = Action.parse(parse(await Deno.readTextFile("action.yml")));
const { inputs, outputs, runs: { steps } } = action;
const [workflow = ""] = [...readme.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, text = ""]) =>
  text.includes("/brownout@") ? [text] : []
);
const workflowSteps = Object.values(Workflow.parse(parse(workflow)).jobs).flatMap((job) => job.steps);

/** Names that an expression of GitHub's reads, as in `inputs.lane`. */
const expressions = (text: string): string[] =>
  [...text.matchAll(/\$\{\{(.*?)\}\}/gs)].flatMap(([, inner = ""]) => inner.match(/[\w-]+(?:\.[\w-]+)+/g) ?? []);

Deno.test("the README's workflow gives the action inputs that it has, and reads outputs that it has", () => {
  const [used, ...others] = workflowSteps.filter(({ uses }) => uses?.startsWith("OWNER/brownout@"));
  assert.ok(used?.with !== undefined && others.length === 0);
  assert.deepEqual(Object.keys(used.with).filter((name) => !Object.hasOwn(inputs, name)), []);
  const read = workflowSteps.flatMap((step) => expressions(JSON.stringify(step)));
  assert.deepEqual(read, [`steps.${used.id}.outputs.outcome`]);
  assert.ok(Object.hasOwn(outputs, "outcome"));
});

Deno.test("action and README name one version of Deno, and one of Node", () => {
  const named = (text: string) => [...new Set(text.match(/deno@[\d.]+/g))];
  const scripts = steps.map(({ run = "" }) => run).join("\n");
  assert.equal(named(scripts).length, 1);
  assert.deepEqual(named(scripts), named(readme));
  const node = steps.find(({ uses }) => uses?.startsWith("actions/setup-node@"))?.with?.["node-version"];
  assert.ok(readme.includes(`With Node ${node} and npm`));
});

Deno.test("no script of action or workflow has an expression in it, and each uses what its environment has", () => {
  for (const { run, env = {}, shell } of [...steps, ...workflowSteps]) {
    if (run === undefined) continue;
    assert.deepEqual(expressions(run), []);
    assert.doesNotMatch(run, /\$\{\{|\beval\b|`/);
    for (const [, name = ""] of run.matchAll(/\$\{?(BROWNOUT_\w+)/g)) assert.ok(Object.hasOwn(env, name), name);
    for (const name of Object.keys(env)) assert.ok(run.includes(`$${name}`), `${name} is given and not used`);
    if (steps.some((step) => step.run === run)) assert.equal(shell, "bash");
  }
});

Deno.test("each input of the action is read, and each output is written", () => {
  const read = new Set(steps.flatMap((step) => expressions(JSON.stringify(step))));
  // A condition is an expression without its brackets, too.
  for (const name of Object.keys(inputs)) assert.ok(read.has(`inputs.${name}`), name);
  const script = steps.find(({ id }) => id === "run")?.run ?? "";
  for (const [name, { value }] of Object.entries(outputs)) {
    assert.deepEqual(expressions(value), [`steps.run.outputs.${name}`]);
    assert.ok(script.includes(`echo "${name}=`), name);
  }
});

/** What came of a step's script. */
interface Ran {
  readonly code: number;
  readonly out: string;
  readonly outputs: ReadonlyMap<string, string>;
  readonly summary: string;
  /** The words that npx was given, if it was called. */
  readonly words: readonly string[] | undefined;
}

/**
 * Runs a step's script as GitHub's runner does, in a folder of its own.
 *
 * @param given Inputs that are not left at their defaults.
 * @param npx The script that stands in for npx; its first word is the folder's file for what it was given.
 */
async function runStep(step: Step | undefined, given: Readonly<Record<string, string>>, npx: string): Promise<Ran> {
  assert.ok(step?.run !== undefined);
  await using folder = await TestFolder.make({
    "step.sh": step.run,
    "bin/npx": `#!/bin/bash\nprintf '%s\\0' "$@" >"$RECORD"\n${npx}\n`,
    "work/scenario.yaml": "",
    "output": "",
    "summary.md": "",
  });
  await Deno.chmod(`${folder.path}/bin/npx`, 0o755);
  const values = new Map<string, string>([
    ["github.action_path", await Deno.realPath(".")],
    ...Object.entries(inputs).map(([name, { default: value }]) => [`inputs.${name}`, given[name] ?? value] as const),
    ["steps.run.outputs.exit-code", given["exit-code"] ?? ""],
  ]);
  const env = Object.entries(step.env ?? {}).map(([name, value]) => {
    const [read = ""] = expressions(value);
    return [name, values.get(read) ?? assert.fail(`${name} is made of ${value}`)] as const;
  });
  const { HOME = "/tmp", PATH = "", DENO_DIR } = Deno.env.toObject();
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", `${folder.path}/step.sh`],
    cwd: `${folder.path}/work`,
    clearEnv: true,
    env: {
      ...Object.fromEntries(env),
      ...(DENO_DIR === undefined ? {} : { DENO_DIR }),
      HOME,
      PATH: `${folder.path}/bin:${PATH}`,
      RECORD: `${folder.path}/words`,
      GITHUB_ACTIONS: "true",
      CI: "true",
      GITHUB_OUTPUT: `${folder.path}/output`,
      GITHUB_STEP_SUMMARY: `${folder.path}/summary.md`,
    },
  }).output();
  const written = (await Deno.readTextFile(`${folder.path}/output`)).trimEnd().split("\n");
  const outputs = new Map(written.map((line) => [line.split("=")[0] ?? "", line.slice(line.indexOf("=") + 1)]));
  const reports = outputs.get("reports");
  if (reports !== undefined) await Deno.remove(reports, { recursive: true });
  const words = await Deno.readTextFile(`${folder.path}/words`).catch(() => undefined);
  assert.deepEqual([...Deno.readDirSync(`${folder.path}/work`)].map(({ name }) => name), ["scenario.yaml"]);
  return {
    code,
    out: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr),
    outputs,
    summary: await Deno.readTextFile(`${folder.path}/summary.md`),
    words: words?.split("\0").slice(0, -1),
  };
}

const runIt = steps.find(({ id }) => id === "run");
const verdict = steps.at(-1);
/** The words after what starts the task, with the folder of the reports left out. */
const task = ({ words, outputs }: Ran): string[] | undefined =>
  words?.slice(words.indexOf("--config") + 2).map((word) => word.replace(outputs.get("reports") ?? "", "R"));

Deno.test("the action hands its inputs to the task as words, and its options are some that the task has", async () => {
  const plain = await runStep(runIt, {}, 'exit "0"');
  assert.deepEqual(plain.words?.slice(0, 5), ["-y", "deno@2.9.6", "task", "--quiet", "--config"]);
  // deno-fmt-ignore
  const forms = ["-o", "R/report.md", "-o", "R/report.json", "-o", "R/report.xml", "-o", "R/report.html"];
  assert.deepEqual(task(plain), ["bench", "run", "--jobs=4", ...forms]);
  const full = await runStep(
    runIt,
    { lane: "both", subject: "liar", selectors: "support\n my/desk.yaml/late  review\n", formats: "jsonl", jobs: "2" },
    "exit 1",
  );
  // deno-fmt-ignore
  assert.deepEqual(task(full), ["bench", "run", "--lane", "both", "--subject=liar", "--jobs=2",
    "-o", "R/report.md", "-o", "R/report.jsonl", "support", "my/desk.yaml/late", "review"]);
  assert.deepEqual([full.code, full.outputs.get("exit-code"), full.outputs.get("outcome")], [0, "1", "failed"]);
  const gate = await runStep(runIt, { command: "gate", subject: "liar" }, "exit 2");
  // deno-fmt-ignore
  assert.deepEqual(task(gate), ["gate", "--subject=liar", "--jobs=4",
    "-o", "R/report.md", "-o", "R/report.json", "-o", "R/report.xml"]);
  assert.equal(gate.outputs.get("outcome"), "invalid");
  for (const [name, ran] of [["run", full], ["gate", gate]] as const) {
    const known = COMMANDS.find((command) => command.name === name)?.options.map(([flags]) => flags).join(" ") ?? "";
    for (const word of task(ran)?.filter((one) => one.startsWith("-")) ?? []) {
      assert.match(known, new RegExp(`(^| )${word.split("=")[0]}\\b`), `${name} has ${word}`);
    }
  }
});

const EVIL = "$(touch pwned) `touch pwned` ;touch pwned; \"'${IFS} ${{ github.token }} * ?";

Deno.test("the action takes whatever it is given for data", async () => {
  const ran = await runStep(runIt, { subject: EVIL, selectors: EVIL, jobs: EVIL }, "exit 0");
  const words = task(ran) ?? [];
  assert.ok(words.includes(`--subject=${EVIL}`));
  assert.ok(words.includes(`--jobs=${EVIL}`));
  assert.deepEqual(words.slice(-EVIL.split(" ").length), EVIL.split(" "), "words, and no star became a file's name");
  for (
    const given of [
      { command: "gate; touch pwned" },
      { command: "" },
      { lane: "sim -o x" },
      { formats: "json ../../x" },
      { selectors: "support --trace=/tmp/x" },
      { command: "gate", lane: "wire" },
    ]
  ) {
    const refused = await runStep(runIt, given, "exit 0");
    assert.equal(refused.words, undefined, "nothing was started");
    assert.match(refused.out, /^::error title=Brownout::the input \w+ [^%\n]+\n$/);
    assert.deepEqual([refused.outputs.get("exit-code"), refused.outputs.get("outcome")], ["2", "invalid"]);
  }
});

Deno.test("the action fails where it is asked to, with the bench's own exit code", async () => {
  for (
    const [failOn, code, expected] of [
      ["red", "0", 0],
      ["red", "1", 1],
      ["red", "5", 5],
      ["error", "0", 0],
      ["error", "1", 0],
      ["error", "3", 3],
      ["never", "3", 0],
      ["nevr", "0", 2],
      ["red", "", 1],
    ] as const
  ) {
    const { code: ended } = await runStep(verdict, { "fail-on": failOn, "exit-code": code }, "exit 0");
    assert.equal(ended, expected, `fail-on ${failOn}, exit code ${code}`);
  }
});

Deno.test("the action runs the bench: annotations, the report as the job's summary, exit code and outcome", async () => {
  // As npx would start it; what is downloaded is left out.
  const deno = `shift 2; exec ${JSON.stringify(Deno.execPath())} "$@"`;
  const green = await runStep(runIt, { selectors: "healthy-desk", lane: "sim", formats: "xml" }, deno);
  assert.deepEqual([green.outputs.get("exit-code"), green.outputs.get("outcome")], ["0", "good"], green.out);
  assert.match(green.summary, /^## Brownout: /);
  assert.match(green.out, /^::stop-commands::/m);
  assert.match(green.out, /^::notice title=Brownout::cells: 1 pass/m);
  const nothing = await runStep(runIt, { selectors: "nobody-has-this", lane: "sim" }, deno);
  assert.deepEqual([nothing.outputs.get("exit-code"), nothing.outputs.get("outcome")], ["5", "nothing"]);
  const gate = await runStep(runIt, { command: "gate", selectors: "healthy-desk" }, deno);
  assert.match(gate.summary, /^## Brownout gate: /);
  assert.match(gate.out, /^::notice title=Brownout gate::/m);
});
