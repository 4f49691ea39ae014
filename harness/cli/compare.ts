/** `bench compare`: whether one run, subject or model is better than another. */
import { extname, resolve } from "node:path/posix";
import { checkTargets, writeWhole } from "../artefacts.ts";
import { compareSides, type Comparison } from "../compare/compare.ts";
import { renderCompareMarkdown } from "../compare/markdown.ts";
import { type ReadCell, readReport } from "../compare/read.ts";
import { type CompareReport, compareReport, renderCompareJson } from "../compare/report.ts";
import { type Duel, duelOfRuns, duelsInside, namesOf, TRAITS } from "../compare/sides.ts";
import { renderCompareTerminal } from "../compare/terminal.ts";
import { clip, oneLine } from "../../core/text.ts";
import { EXIT, UsageError } from "./exit.ts";
import { type CliIo, wantsColour } from "./io.ts";
import { count } from "../report/layout.ts";
import { liveOptionsOf, type ModelFlags } from "../models/options.ts";
import { findSubject } from "../subjects/mod.ts";
import { oneOf, wholeNumber } from "./options.ts";

/** Options of `compare` as the command line has them. */
export interface CompareFlags extends Omit<ModelFlags, "model" | "record" | "replay"> {
  /** `--by`. */
  readonly by?: string;
  /** `--baseline`. */
  readonly baseline?: string;
  /** `--fail-on`, each time it is given. */
  readonly failOn?: readonly string[];
  /** `--seed`. */
  readonly seed: string;
  /** `--output`. */
  readonly output?: string;
  /** `--json`. */
  readonly json?: true;
  /** `--repeat`. */
  readonly repeat?: string;
  /** `--subject`. */
  readonly subject?: string;
  /** `--jobs`. */
  readonly jobs?: string;
}

/** What `--fail-on` may name, and when it is so. */
const FAILURES: Readonly<Record<string, (comparison: Comparison) => boolean>> = {
  worse: ({ verdict }) => verdict === "worse",
  // One cell shows nothing of others, but what passed and does not is news whatever the numbers can show.
  red: ({ changed, excluded }) =>
    [...changed, ...excluded].some(({ a, b }) => a === "pass" && (b === "fail" || b === "error")),
  flaky: ({ verdict }) => verdict === "flaky",
  "not-enough-data": ({ verdict }) => verdict === "not enough data",
  missing: ({ onlyA, onlyB }) => onlyA.length + onlyB.length > 0,
};
const OUTPUTS = [".json", ".md"];

/** See {@linkcode CommandModule}. */
export async function execute(files: readonly string[], flags: CompareFlags, io: CliIo): Promise<number> {
  const seed = String(wholeNumber("--seed", flags.seed, 0, Number.MAX_SAFE_INTEGER));
  const failOn = (flags.failOn ?? []).map((name) => oneOf("--fail-on", name, Object.keys(FAILURES)));
  const output = flags.output === undefined ? undefined : outputOf(flags.output, io);
  if (output !== undefined) await checkTargets({ output });
  const end = { flags, io, failOn, seed, output };
  if (files.some(namesModel)) return await compareModels(files, end);
  checkUsage(files, flags);
  const reports = await Promise.all(files.map((file) => readFile(file, io)));
  const problems = reports.flatMap((read) => read.ok ? [] : read.problems);
  if (problems.length > 0) {
    for (const problem of problems) io.err(`${problem}\n`);
    return EXIT.usage;
  }
  const duels = duelsOf(files, reports.map((read) => read.ok ? read.cells : []), flags);
  return await conclude(compareReport(duels.map((duel) => compareSides(duel, seed)), seed), end);
}

/** What comes after the comparing. */
interface End {
  readonly flags: CompareFlags;
  readonly io: CliIo;
  readonly failOn: readonly string[];
  readonly seed: string;
  readonly output: string | undefined;
}

/** Writes and shows a report, and says how the command ends. */
async function conclude(report: CompareReport, { flags, io, failOn, output }: End): Promise<number> {
  const { comparisons } = report;
  if (output !== undefined) {
    await writeWhole(output, output.endsWith(".md") ? renderCompareMarkdown(report) : renderCompareJson(report));
  }
  io.out(render(report, flags, io));
  const empty = comparisons.filter(({ rows }) => rows.every(({ n }) => n === 0));
  const isBad = comparisons.some((one) => failOn.some((name) => FAILURES[name]?.(one) ?? false));
  // Where nothing at all is paired, that is the news.
  if (isBad && comparisons.some(({ pairs }) => pairs > 0)) return EXIT.failed;
  const [first] = empty;
  if (first === undefined) return EXIT.good;
  io.err(`brownout: ${first.pairs === 0 ? nothingPaired(first) : nothingCounted(first)}\n`);
  return EXIT.nothing;
}

/** Not a literal: what runs cells is loaded only by those who run some. */
const COMPARE_MODELS: string = "../models/compare_models.ts";

interface ModelsModule {
  runModelSides: typeof import("../models/compare_models.ts").runModelSides;
}

/** Models first, the baseline before the others; then selectors, as `run` has them. */
async function compareModels(words: readonly string[], end: End): Promise<number> {
  const { flags, io, seed } = end;
  if (flags.by !== undefined || flags.baseline !== undefined) {
    throw new UsageError("--by and --baseline are for what is inside one report; of models the first is the baseline");
  }
  const first = words.findIndex((word) => !namesModel(word));
  const [names, selectors] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  const late = selectors.find(namesModel);
  if (names.length < 2 || late !== undefined) {
    throw new UsageError("give two models or more, then selectors: compare scripted anthropic:NAME support");
  }
  const run = {
    selectors,
    jobs: wholeNumber("--jobs", flags.jobs ?? "4", 1, 1024),
    subject: findSubject(flags.subject ?? "reference"),
    repeat: wholeNumber("--repeat", flags.repeat ?? "1", 1, 10_000),
    seed: Number(seed),
    json: false,
    timeline: false,
  };
  const { runModelSides }: ModelsModule = await import(COMPARE_MODELS);
  const { maxCost, maxTokens, prices, callsAtOnce, callsPerMinute, stream } = flags;
  const asked = { maxCost, maxTokens, prices, callsAtOnce, callsPerMinute, stream };
  // A program has a name of its own in reports, by which nobody can choose it.
  const typed = { ...asked, subject: flags.subject ?? "reference" };
  const sides = await runModelSides(names, { run, live: liveOptionsOf(flags, io.cwd), typed }, io);
  const [a, ...others] = sides;
  if (a === undefined || sides.length < names.length) return EXIT.interrupted;
  const comparisons = others.map((b) => compareSides({ a, b, by: [] }, seed));
  return await conclude(compareReport(comparisons, seed, sides.map(({ cost }) => cost)), end);
}

/** Whether a word names a model rather than a file: `scripted`, or a provider's. */
function namesModel(word: string): boolean {
  return word === "scripted" || /^(?:\w+=)?(?:anthropic|openai|compatible):/.test(word);
}

function render(report: CompareReport, { json }: CompareFlags, io: CliIo): string {
  if (json) return renderCompareJson(report);
  return renderCompareTerminal(report, { columns: io.columns, colour: wantsColour(io) });
}

function checkUsage(files: readonly string[], { by, baseline }: CompareFlags): void {
  if (by !== undefined) {
    oneOf("--by", by, TRAITS);
    if (files.length !== 1) throw new UsageError(`--by compares inside one file, and ${files.length} are given`);
    return;
  }
  if (baseline !== undefined) {
    throw new UsageError("--baseline names a subject or a model, with --by; of two files it is the first");
  }
  if (files.length === 2) return;
  const hint = files.length === 1 ? "; for what is inside one, add --by subject or --by model" : "";
  throw new UsageError(`two reports are compared, and ${files.length} given${hint}`);
}

function duelsOf(
  files: readonly string[],
  cells: readonly (readonly ReadCell[])[],
  { by, baseline }: CompareFlags,
): Duel[] {
  const [a = [], b = []] = cells;
  const [nameA = "", nameB = ""] = files;
  if (by === undefined) return [duelOfRuns({ label: nameA, cells: a }, { label: nameB, cells: b })];
  const trait = oneOf("--by", by, TRAITS);
  const names = namesOf(a, trait);
  const base = baseline === undefined ? undefined : oneOf("--baseline", baseline, names);
  try {
    return duelsInside(a, trait, base);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${shown(nameA)}: ${oneLine(error.message)}`);
    throw error;
  }
}

/** With an example of each side, which mostly tells why. */
function nothingPaired({ a, b, onlyA, onlyB }: Comparison): string {
  const example = (ids: readonly string[]) =>
    ids[0] === undefined ? "no cell" : `${count(ids.length, "cell")}, as ${ids[0]}`;
  return oneLine(
    `nothing is paired: no (scenario, variant, lane, seed, repeat) is in both; ${a} has ${example(onlyA)}, ` +
      `${b} has ${example(onlyB)}`,
  );
}

/** Pairs, and none of which anything could be compared. */
function nothingCounted({ a, b, pairs, excluded: [first] }: Comparison): string {
  const example = first === undefined ? "" : `, as ${first.id}`;
  return oneLine(
    `nothing is compared: of ${a} and ${b} ${
      count(pairs, "pair")
    }${example}, and each with an error or an untestable ` +
      "verdict on a side",
  );
}

function outputOf(given: string, io: CliIo): string {
  if (OUTPUTS.includes(extname(given))) return resolve(io.cwd, given);
  throw new UsageError(`--output ${shown(given)}: the extension tells the format; allowed: ${OUTPUTS.join(", ")}`);
}

async function readFile(file: string, io: CliIo): Promise<ReturnType<typeof readReport>> {
  const path = resolve(io.cwd, file);
  try {
    if ((await Deno.stat(path)).isDirectory) throw new UsageError(`${shown(file)} is a folder; give a report's file`);
    return readReport(await Deno.readTextFile(path), oneLine(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      throw new UsageError(`${shown(file)}: no such file`);
    }
    if (error instanceof Deno.errors.NotCapable) {
      throw new UsageError(`${shown(file)} may not be read; give a file under the folder you stand in, or /tmp`);
    }
    throw new UsageError(
      `${shown(file)} cannot be read: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    );
  }
}

function shown(text: string): string {
  return `"${clip(oneLine(text), 120)}"`;
}
