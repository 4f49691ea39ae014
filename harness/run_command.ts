/** What `bench run` does: select, run, score, report. */
import { join, relative } from "node:path/posix";
import { printable } from "../core/mod.ts";
import { type Artefact, checkTargets, ReportFiles, RUNS } from "./artefacts.ts";
import { begin, type Begun } from "./begin_run.ts";
import { sameAgain, taskOf } from "./cli/command_line.ts";
import { EXIT, UsageError } from "./cli/exit.ts";
import { type CliIo, wantsColour } from "./cli/io.ts";
import { resolveWithInputs } from "./cli/inputs.ts";
import type { RunOptions } from "./cli/options.ts";
import { select } from "./cli/select.ts";
import { openRunModels, wasRefused } from "./models/run_models.ts";
import { limitWords, shortfallWords } from "./models/spent.ts";
import { renderAnnotations, withoutCommands } from "./report/annotations.ts";
import { WHOLE } from "./report/early_end.ts";
import { readFindings } from "./report/findings.ts";
import { givenCells } from "./report/given.ts";
import { jsonChunks } from "./report/json.ts";
import type { RunReport } from "./report/report.ts";
import { renderTerminal } from "./report/terminal.ts";
import { asked, cellsOf, within } from "./run_cells.ts";
import { runWatched } from "./run_watched.ts";
import { formatProblem, type Found, resolveFound } from "./scenario/mod.ts";

/**
 * Runs what is selected and reports on it.
 *
 * @returns The exit code.
 * @throws {NothingSelected} If nothing is selected.
 * @throws {UsageError} If the report cannot be written where it should, or the run cannot go on.
 */
export async function executeRun(options: RunOptions, io: CliIo): Promise<number> {
  const { runs = RUNS } = io;
  const found = await select(options.selectors, io);
  const { inputs = new Map() } = options;
  const resolved = inputs.size === 0 ? resolveFound(found) : await resolveWithInputs(found, options.selectors, inputs);
  if (!resolved.ok) {
    for (const problem of resolved.problems) io.err(`${formatProblem(problem)}\n`);
    return EXIT.usage;
  }
  await checkTargets(options);
  for (const output of options.outputs ?? []) await checkTargets({ output });
  const subject = await options.subject.load();
  const planned = resolved.value.flatMap((scenario) => cellsOf(scenario, subject, options));
  const played = options.ask === undefined ? planned : await asked(planned);
  using models = options.models === undefined ? undefined : await openRunModels(played, options.models, io);
  const specs = within(models?.specs ?? played, options.deadlineMs);
  const started = performance.now();
  using begun = begin(specs, options, io, runs);
  const { run } = begun;
  if (models?.purse !== undefined) begun.count(models.purse);
  const refused = new Set<number>();
  const { ended, strays } = await runWatched(specs, options, io, {
    done: begun.done,
    ...(models?.judge === undefined ? {} : { judge: models.judge }),
    keep: (result, n) => {
      begun.keep(result, n);
      if (wasRefused(result.trace)) refused.add(n);
    },
    isOver: () => models?.outage() !== undefined,
  });
  const outage = models?.outage();
  for (const line of models?.lines() ?? []) io.err(`brownout: ${line}\n`);
  if (io.signal.aborted) {
    io.err(`brownout: interrupted after ${ended} of ${specs.length} cells${begun.howToGoOn()}\n`);
    return EXIT.interrupted;
  }
  const tellStrays = () => {
    for (const stray of strays) io.err(`brownout: something ran on after its cell had ended, and failed: ${stray}\n`);
  };
  const short = outage === undefined ? models?.purse?.shortfall : undefined;
  // Of a run of which nothing is left nothing is kept.
  const whatIsLeft = (verb: string) =>
    `${ended - refused.size} of ${specs.length} cells ${verb}${
      !begun.isNothing(refused)
        ? begun.howToGoOn(short)
        : short === undefined
        ? "; give the command again then"
        : `; ${shortfallWords(short)}; give the command again with ${limitWords(short.suffice)}`
    }`;
  if (outage !== undefined) io.err(`brownout: ${outage}\n`);
  const stopped = () => io.err(`brownout: the run stops there: ${whatIsLeft("have ended")}\n`);
  if (ended < specs.length && ended === refused.size) {
    // As with any command that could not begin, nothing is known and nothing is written.
    run.forget(refused);
    stopped();
    tellStrays();
    return EXIT.usage;
  }
  const isWhole = ended === specs.length && refused.size === 0;
  const why = outage ?? `a limit was met (${limitWords(models?.purse?.limits ?? {})})`;
  const report = run.report(isWhole ? undefined : { why, brokenOff: refused });
  // A run that has met a limit has not ended: with a higher one it goes on.
  if (isWhole) begun.finish(report.outcome);
  // What was found is told, whether or not it can be kept. What goes on keeps its folder, and with it its traces.
  const own = isWhole ? begun.own : undefined;
  const { files, problem } = await writeFiles(report, options, { ...begun, own }, runs);
  const elapsedMs = performance.now() - started;
  const again = sameAgain(options);
  const screen = function* () {
    if (options.json) return yield* jsonChunks(report);
    for (const { answer } of givenCells(report)) yield `${printable(answer.text)}\n\n`;
    yield renderTerminal(report, run.telling(options.timeline), {
      columns: io.columns,
      colour: wantsColour(io),
      // What stands above in full is not quoted.
      timeline: options.timeline ? "all" : inputs.size > 0 ? "none" : "auto",
      list: options.list ?? false,
      paths: pathsOf(found, io.cwd),
      again,
      task: taskOf(["run", ...again, ""].join(" ")),
      files: files.map(({ label, path }) => ({ label, path: shown(path, io.cwd) })),
      elapsedMs,
    });
  };
  if (io.env("GITHUB_ACTIONS") === "true" && !options.json) {
    io.out(withoutCommands([...screen()].join(""), crypto.randomUUID()) + renderAnnotations(report));
  } else {
    for (const chunk of screen()) io.out(chunk);
    // Stdout is data; the runner reads stderr too.
    if (io.env("GITHUB_ACTIONS") === "true") io.err(renderAnnotations(report));
  }
  if (!isWhole) {
    run.forget(refused);
    if (ended < specs.length) stopped();
    else io.err(`brownout: ${whatIsLeft(outage === undefined ? "met no limit" : "have ended")}\n`);
  }
  tellStrays();
  if (problem !== undefined) throw problem;
  return strays.length > 0 ? EXIT.internal : exitCode(report);
}

/** The files that a run leaves, and what could not be written of what somebody has asked for. */
async function writeFiles(
  report: RunReport,
  { outputs = [], trace }: RunOptions,
  { own, traces, note }: Pick<Begun, "own" | "traces" | "note">,
  runs: string,
): Promise<{ files: Artefact[]; problem: UsageError | undefined }> {
  const latest = join(runs, "latest");
  const troubles = trace === undefined || traces?.trouble === undefined ? [] : [traces.trouble.message];
  const written: string[] = [];
  using reports = new ReportFiles(report);
  for (const output of outputs) {
    try {
      await reports.write(output);
      written.push(output);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      troubles.push(error.message);
    }
  }
  const isLost = written.length < outputs.length;
  const told = (...more: string[]) =>
    troubles.length === 0 ? undefined : new UsageError([...troubles, ...more].join("; "));
  const asked = [
    ...written.map((path) => ({ label: "report", path })),
    ...(trace === undefined ? [] : [{ label: "traces", path: trace }]),
  ];
  if (own === undefined) return { files: asked, problem: told() };
  const hasTraces = trace === undefined && await isThere(join(own, "traces"));
  try {
    await reports.publish(own, latest);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    note(`the run is not in ${latest}: ${error.message}`);
    return { files: asked, problem: told() };
  }
  const kept = join(latest, "report.json");
  return {
    files: [
      ...(written.length > 0 && !isLost ? written : [...written, kept]).map((path) => ({ label: "report", path })),
      ...(trace !== undefined || hasTraces ? [{ label: "traces", path: trace ?? join(latest, "traces") }] : []),
    ],
    // What was asked for is not there; the run itself is not lost.
    problem: isLost ? told(`the report is in ${kept}`) : told(),
  };
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
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

/** How a command ends whose report this is. */
export function exitCode(report: RunReport): number {
  if (report.outcome === "pass") return EXIT.good;
  if (report.outcome !== "error") return EXIT.failed;
  const errors = readFindings(report).filter(({ outcome }) => outcome === "error");
  // A script that does not fit its scenario is the author's input, and no failure of the bench; nor is a run that was ended
  // early.
  return errors.every(({ check }) => check === "run.script" || check === WHOLE) ? EXIT.usage : EXIT.internal;
}
