/** `bench plan`: scores what planners say, without running a worker. */
import { dirname, extname, isAbsolute, join, relative, resolve } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { checkTargets, writeWhole } from "../artefacts.ts";
import { planJson } from "../plan/json.ts";
import { planMarkdown } from "../plan/markdown.ts";
import { parseJsonl, planFiles, readPlanFile } from "../plan/read.ts";
import { namesTwice, scoreFiles } from "../plan/report.ts";
import { isAsExpected, planScreen } from "../plan/terminal.ts";
import { draw } from "../report/layout.ts";
import { formatProblem, NothingSelected } from "../scenario/mod.ts";
import { EXIT, UsageError } from "./exit.ts";
import { type CliIo, wantsColour } from "./io.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** The bench's own plans. */
const OWN = join(PROJECT, "scenarios/plans");

/** JSON Lines from the standard input: for files that the command may not read. */
const STDIN = "-";

/** Options as the command line has them. */
interface PlanFlags {
  /** `--json`. */
  readonly json?: true;
  /** `--output`. */
  readonly output?: string;
}

/** See {@linkcode CommandModule}. */
export async function execute(operands: readonly string[], flags: PlanFlags, io: CliIo): Promise<number> {
  const output = flags.output === undefined ? undefined : outputFile(flags.output, io);
  if (output !== undefined) await checkTargets({ output });
  const paths = new Set<string>();
  for (const operand of operands.length === 0 ? [OWN] : operands) {
    for (const path of await find(operand, io)) paths.add(path);
  }
  const read = await Promise.all(
    [...paths].map(async (path) =>
      path === STDIN
        ? parseJsonl(await new Response(Deno.stdin.readable).text(), "stdin")
        : await readPlanFile(path, nameOf(path))
    ),
  );
  const files = read.flatMap((one) => one.ok ? [one.value] : []);
  const problems = [...read.flatMap((one) => one.ok ? [] : one.problems), ...namesTwice(files)];
  if (problems.length > 0) {
    for (const problem of problems) io.err(`${formatProblem(problem)}\n`);
    return EXIT.usage;
  }
  const report = await scoreFiles(files);
  if (flags.json) io.out(planJson(report));
  else {
    const screen = { columns: Math.min(io.columns, 100), colour: wantsColour(io) };
    io.out(planScreen(report, screen.columns).map((line) => `${draw(line, screen)}\n`).join(""));
  }
  if (output !== undefined) {
    await writeWhole(output, output.endsWith(".md") ? planMarkdown(report) : planJson(report));
    io.err(`report: ${output}\n`);
  }
  return isAsExpected(report) ? EXIT.good : EXIT.failed;
}

/** Files that a word means: a path from where the user stands, or a folder or file of the bench's own plans. */
async function find(operand: string, io: CliIo): Promise<string[]> {
  if (operand.trim() === "") throw new UsageError("a path is empty; leave it out to score the bench's own plans");
  if (operand === STDIN) return [STDIN];
  for (
    const path of [resolve(io.cwd, operand), join(OWN, operand), join(OWN, dirname(operand), `_${stem(operand)}.yaml`)]
  ) {
    const found = await planFiles(path);
    if (found.length > 0) return found;
  }
  throw new NothingSelected(
    operand,
    `no plans at ${JSON.stringify(operand)}; give a .yaml or .jsonl file, or a folder`,
  );
}

const stem = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function nameOf(path: string): string {
  const inside = relative(PROJECT, path);
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

function outputFile(given: string, io: CliIo): string {
  if (extname(given) === ".json" || extname(given) === ".md") return resolve(io.cwd, given);
  throw new UsageError(`--output ${JSON.stringify(given)}: the extension tells the format; allowed: .json, .md`);
}
