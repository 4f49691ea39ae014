/** What `bench run` does: select, run, score, report. */
import { dirname, join, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { CREWS, reference } from "../agents/mod.ts";
import { killChildren, oneLine } from "../core/mod.ts";
import { EXIT, UsageError } from "./cli/exit.ts";
import { type CliIo, wantsColour } from "./cli/io.ts";
import type { RunOptions } from "./cli/options.ts";
import { select } from "./cli/select.ts";
import type { Lane } from "./lanes/lane.ts";
import { renderJson } from "./report/json.ts";
import { renderMarkdown } from "./report/markdown.ts";
import { progressEntry, progressLine } from "./report/progress.ts";
import { makeReport, type RunReport } from "./report/report.ts";
import { renderTerminal } from "./report/terminal.ts";
import type { CellSpec } from "./runner/cell.ts";
import { type CellResult, runCells } from "./runner/run.ts";
import { formatProblem, resolveFound, type Scenario } from "./scenario/mod.ts";
import { type Outcome, tally } from "./score/check.ts";
import { cellId, type LaneName } from "./trace/event.ts";
import { writeTrace } from "./trace/jsonl.ts";

const PROJECT = fileURLToPath(new URL("../", import.meta.url));
/** Where a run leaves its report and traces when it is not told otherwise. Ignored by git. */
const RUNS = join(PROJECT, "reports/runs/latest");

/**
 * Runs what is selected and reports on it.
 *
 * @returns The exit code.
 * @throws {NothingSelected} If nothing is selected.
 * @throws {UsageError} If the report cannot be written where it should.
 */
export async function executeRun(options: RunOptions, io: CliIo): Promise<number> {
  const resolved = resolveFound(await select(options.selectors, io));
  if (!resolved.ok) {
    for (const problem of resolved.problems) io.err(`${formatProblem(problem)}\n`);
    return EXIT.usage;
  }
  // Before anything is run, not after: a report that cannot be written is found at once.
  for (const path of [options.output, options.trace]) if (path !== undefined) await mayWrite(path);
  const specs = resolved.value.flatMap((scenario) => cellsOf(scenario, options));
  const started = performance.now();
  const { results, strays } = await runWatched(specs, options, io);
  if (io.signal.aborted) {
    io.err(`brownout: interrupted after ${results.length} of ${specs.length} cells; nothing was written\n`);
    return EXIT.interrupted;
  }
  const report = makeReport(results);
  const files = await writeFiles(report, results, options, io);
  io.out(
    options.json ? renderJson(report) : renderTerminal(report, results, {
      columns: io.columns,
      colour: wantsColour(io),
      timeline: options.timeline ? "all" : "auto",
      files,
      elapsedMs: performance.now() - started,
    }),
  );
  for (const stray of strays) io.err(`brownout: something ran on after its cell had ended, and failed: ${stray}\n`);
  return strays.length > 0 ? EXIT.internal : exitCode(report.outcome);
}

function cellsOf(scenario: Scenario, { lane, seed }: RunOptions): CellSpec[] {
  const crew = CREWS.get(scenario.crew);
  if (crew === undefined) throw new RangeError(`no crew ${scenario.crew}`);
  const lanes: LaneName[] = lane === "default"
    ? scenario.smoke ? ["sim", "wire"] : ["sim"]
    : lane === "both"
    ? ["sim", "wire"]
    : [lane];
  return lanes.map((name) => ({
    cell: {
      scenario: scenario.name,
      variant: scenario.variant,
      lane: name,
      subject: reference.name,
      model: "scripted",
      seed: String(seed),
      repeat: 1,
    },
    scenario,
    crew,
    subject: reference,
  }));
}

/** Runs the cells; whatever ends the process, no server outlives it. */
async function runWatched(
  specs: readonly CellSpec[],
  { jobs }: RunOptions,
  io: CliIo,
): Promise<{ results: CellResult[]; strays: readonly string[] }> {
  const outcomes: Outcome[] = [];
  // Loaded only by a run that needs it, so that `sim` runs without the permissions that `wire` needs.
  const needed = new Set(specs.map(({ cell }) => cell.lane));
  const makers = new Map<LaneName, () => Lane>();
  if (needed.has("sim")) makers.set("sim", (await import("./lanes/sim.ts")).simLane);
  if (needed.has("wire")) makers.set("wire", (await import("./lanes/wire.ts")).wireLane);
  const atExit = () => killChildren();
  // Code that runs on after its cell has ended must not lose the other cells' results; it is told below.
  const strays: string[] = [];
  const onStray = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    strays.push(oneLine(String(event.reason)));
  };
  globalThis.addEventListener("unhandledrejection", onStray);
  globalThis.addEventListener("unload", atExit);
  io.signal.addEventListener("abort", atExit);
  try {
    const results = await runCells(specs, {
      jobs,
      openLane: (name) => (makers.get(name) ?? unknownLane(name))(),
      signal: io.signal,
      onResult: ({ trace, scorecard: { outcome } }) => {
        outcomes.push(outcome);
        const { length } = outcomes;
        if (io.isTerminal) io.err(`\r${progressLine(length, specs.length, tally(outcomes), io.columns - 1)}`);
        else io.err(`${progressEntry(length, specs.length, { id: cellId(trace.cell), outcome }, io.columns)}\n`);
      },
    });
    return { results, strays };
  } finally {
    if (io.isTerminal) io.err(`\r${" ".repeat(io.columns - 1)}\r`);
    killChildren();
    globalThis.removeEventListener("unhandledrejection", onStray);
    io.signal.removeEventListener("abort", atExit);
    globalThis.removeEventListener("unload", atExit);
  }
}

function unknownLane(name: string): never {
  throw new RangeError(`no lane ${name}`);
}

async function writeFiles(
  report: RunReport,
  results: readonly CellResult[],
  { output, trace }: RunOptions,
  io: CliIo,
): Promise<{ label: string; path: string }[]> {
  const shown = (path: string) => {
    const near = relative(io.cwd, path);
    return near === "" || near.startsWith("..") ? path : near;
  };
  const files = [{ label: "report", path: output ?? join(RUNS, "report.json") }];
  await write(files[0]?.path ?? "", files[0]?.path.endsWith(".md") ? renderMarkdown(report) : renderJson(report));
  const folder = trace ?? join(RUNS, "traces");
  if (trace === undefined) await Deno.remove(folder, { recursive: true }).catch(() => {});
  for (const result of results) {
    await write(join(folder, `${cellId(result.trace.cell).replaceAll("/", ".")}.jsonl`), writeTrace(result.trace));
  }
  files.push({ label: "traces", path: folder });
  return files.map(({ label, path }) => ({ label, path: shown(path) }));
}

/** @throws {UsageError} If the process has no permission to write there. */
async function mayWrite(path: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "write", path });
  if (state !== "granted") {
    throw new UsageError(
      `${path} may not be written: write below where you stand, in reports/runs or in /tmp, or use --json > FILE`,
    );
  }
}

/** Writes a file whole or not at all. */
async function write(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${Deno.pid}.tmp`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(unfinished, text);
    await Deno.rename(unfinished, path);
  } catch (error) {
    await Deno.remove(unfinished).catch(() => {});
    throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function exitCode(outcome: Outcome): number {
  switch (outcome) {
    case "pass":
      return EXIT.good;
    case "error":
      return EXIT.internal;
    default:
      return EXIT.failed;
  }
}
