/** What `bench run` does: select, run, score, report. */
import { relative } from "node:path/posix";
import { checkTargets, writeArtefacts } from "./artefacts.ts";
import type { Subject } from "../agents/mod.ts";
import { killChildren, oneLine } from "../core/mod.ts";
import { EXIT, UsageError } from "./cli/exit.ts";
import { type CliIo, wantsColour } from "./cli/io.ts";
import type { RunOptions } from "./cli/options.ts";
import type { PromptPort } from "./cli/prompt_port.ts";
import { resolveWithInputs } from "./cli/inputs.ts";
import { select } from "./cli/select.ts";
import type { Lane } from "./lanes/lane.ts";
import { renderAnnotations, withoutCommands } from "./report/annotations.ts";
import { renderJson } from "./report/json.ts";
import { progressEntry, progressLine } from "./report/progress.ts";
import { makeReport, type RunReport } from "./report/report.ts";
import { renderTerminal } from "./report/terminal.ts";
import { type CellSpec, DEADLINE_MS } from "./runner/cell.ts";
import { type CellResult, runCells } from "./runner/run.ts";
import { crewOf, formatProblem, type Found, resolveFound, type Scenario } from "./scenario/mod.ts";
import { type Outcome, tally } from "./score/check.ts";
import { cellId, type LaneName } from "./trace/event.ts";

/** Not a literal: what only a run with a person needs is not loaded by others. */
const CLACK_PORT: string = "./cli/clack_port.ts";

/**
 * Runs what is selected and reports on it.
 *
 * @returns The exit code.
 * @throws {NothingSelected} If nothing is selected.
 * @throws {UsageError} If the report cannot be written where it should.
 */
export async function executeRun(options: RunOptions, io: CliIo): Promise<number> {
  const found = await select(options.selectors, io);
  const { inputs = new Map() } = options;
  const resolved = inputs.size === 0 ? resolveFound(found) : await resolveWithInputs(found, options.selectors, inputs);
  if (!resolved.ok) {
    for (const problem of resolved.problems) io.err(`${formatProblem(problem)}\n`);
    return EXIT.usage;
  }
  await checkTargets(options);
  const subject = await options.subject.load();
  const planned = resolved.value.flatMap((scenario) => cellsOf(scenario, subject, options));
  const specs = options.ask === undefined ? planned : await asked(planned);
  const started = performance.now();
  const { results, strays } = await runWatched(specs, options, io);
  if (io.signal.aborted) {
    io.err(`brownout: interrupted after ${results.length} of ${specs.length} cells; nothing was written\n`);
    return EXIT.interrupted;
  }
  const report = makeReport(results);
  // What was found is told, whether or not it can be kept.
  let unwritten: UsageError | undefined;
  const files = await writeArtefacts(report, results, options).catch((error) => {
    if (!(error instanceof UsageError)) throw error;
    unwritten = error;
    return [];
  });
  const screen = options.json ? renderJson(report) : [
    ...reviewsOf(report).map((text) => `${text}\n\n`),
    renderTerminal(report, results, {
      columns: io.columns,
      colour: wantsColour(io),
      // What stands above in full is not quoted.
      timeline: options.timeline ? "all" : inputs.size > 0 ? "none" : "auto",
      list: options.list ?? false,
      paths: pathsOf(found, io.cwd),
      files: files.map(({ label, path }) => ({ label, path: shown(path, io.cwd) })),
      elapsedMs: performance.now() - started,
    }),
  ].join("");
  if (io.env("GITHUB_ACTIONS") !== "true") io.out(screen);
  else if (options.json) {
    // Stdout is data; the runner reads stderr too.
    io.out(screen);
    io.err(renderAnnotations(report));
  } else io.out(withoutCommands(screen, crypto.randomUUID()) + renderAnnotations(report));
  for (const stray of strays) io.err(`brownout: something ran on after its cell had ended, and failed: ${stray}\n`);
  if (unwritten !== undefined) throw unwritten;
  return strays.length > 0 ? EXIT.internal : exitCode(report);
}

/** Answers about what the user has given. */
function reviewsOf({ cells }: RunReport): string[] {
  return cells.flatMap(({ given, answer }) => given === undefined || answer === undefined ? [] : [answer.text]);
}

/** A path as a person who stands there would type it. */
function shown(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near === "" || near.startsWith("..") ? path : near;
}

/** Scenarios that are not the project's: no name finds them. */
function pathsOf(found: readonly Found[], cwd: string): Map<string, string> {
  const others = found.filter(({ file }) => !file.startsWith("scenarios/"));
  return new Map(others.map(({ name, path }) => [name, shown(path, cwd)]));
}

/** The cells of a scenario. Repeats of a cell in `sim` differ by their seed, as the schedule does; in `wire` by nothing. */
function cellsOf(
  scenario: Scenario,
  subject: Subject,
  { lane, seed, repeat, subject: { lanes } }: RunOptions,
): CellSpec[] {
  const crew = crewOf(scenario);
  const wanted: LaneName[] = lane === "default"
    ? !lanes.includes("sim") || scenario.smoke ? ["sim", "wire"] : ["sim"]
    : lane === "both"
    ? ["sim", "wire"]
    : [lane];
  return wanted.filter((name) => lanes.includes(name)).flatMap((name) =>
    Array.from({ length: repeat }, (_, i) => ({
      cell: {
        scenario: scenario.name,
        variant: scenario.variant,
        lane: name,
        subject: subject.name,
        model: "scripted",
        seed: String(seed),
        repeat: i + 1,
      },
      scenario,
      crew,
      subject,
    }))
  );
}

/** The cells with a person at the terminal for operator and user, who has time to answer. */
async function asked(specs: readonly CellSpec[]): Promise<CellSpec[]> {
  if (!Deno.stdin.isTerminal()) throw new UsageError("--ask needs a terminal, and stdin is none");
  const { patient, PATIENCE_MS, terminalPeople } = await import("./cli/ask.ts");
  const { clackPort }: { readonly clackPort: PromptPort } = await import(CLACK_PORT);
  return specs.map((spec) => ({
    ...spec,
    crew: patient(spec.crew),
    deadlineMs: (spec.deadlineMs ?? DEADLINE_MS) + PATIENCE_MS,
    people: (options) => terminalPeople(clackPort, options),
  }));
}

/** Runs the cells; whatever ends the process, no server outlives it. */
async function runWatched(
  specs: readonly CellSpec[],
  { jobs, ask }: RunOptions,
  io: CliIo,
): Promise<{ results: CellResult[]; strays: readonly string[] }> {
  const outcomes: Outcome[] = [];
  // Loaded only by a run that needs it, so that `sim` runs without the permissions that `wire` needs.
  const needed = new Set(specs.map(({ cell }) => cell.lane));
  if (needed.has("wire") && (await Deno.permissions.query({ name: "run" })).state !== "granted") {
    throw new UsageError("the wire lane starts processes, which this task may not: use deno task bench, or --lane sim");
  }
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
        // Where questions are asked, a line that is written over would write over them.
        if (io.isTerminal && ask === undefined) {
          io.err(`\r${progressLine(length, specs.length, tally(outcomes), io.columns - 1)}`);
        } else io.err(`${progressEntry(length, specs.length, { id: cellId(trace.cell), outcome }, io.columns)}\n`);
      },
    });
    return { results, strays };
  } finally {
    if (io.isTerminal && ask === undefined) io.err(`\r${" ".repeat(io.columns - 1)}\r`);
    killChildren();
    globalThis.removeEventListener("unhandledrejection", onStray);
    io.signal.removeEventListener("abort", atExit);
    globalThis.removeEventListener("unload", atExit);
  }
}

function unknownLane(name: string): never {
  throw new RangeError(`no lane ${name}`);
}

/** How a command ends whose report this is. */
export function exitCode({ outcome, cells, run }: RunReport): number {
  if (outcome === "pass") return EXIT.good;
  if (outcome !== "error") return EXIT.failed;
  const errors = [...cells.flatMap(({ checks }) => checks), ...run].filter((check) => check.outcome === "error");
  // A script that does not fit its scenario is the author's input, and no failure of the bench.
  return errors.every(({ id }) => id === "run.script") ? EXIT.usage : EXIT.internal;
}
