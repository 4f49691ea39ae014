/** `bench compare scripted anthropic:NAME`: runs what is missing of each model's cells, and compares them. */
import { choiceLabel } from "../../agents/models/live/choice.ts";
import { NOTHING_USED, sumOf } from "../../agents/models/live/account.ts";
import { RUNS } from "../artefacts.ts";
import { begin, sameRun } from "../begin_run.ts";
import { UsageError } from "../cli/exit.ts";
import type { CliIo } from "../cli/io.ts";
import type { RunOptions } from "../cli/options.ts";
import { select } from "../cli/select.ts";
import { readReport } from "../compare/read.ts";
import type { SideCost } from "../compare/report.ts";
import type { Side } from "../compare/sides.ts";
import { jsonChunks } from "../report/json.ts";
import type { RunReport } from "../report/report.ts";
import { cellsOf } from "../run_cells.ts";
import { runWatched } from "../run_watched.ts";
import type { CellSpec } from "../runner/cell.ts";
import { formatProblem, resolveFound } from "../scenario/mod.ts";
import { choiceOf, type LiveOptions, type ModelOptions } from "./options.ts";
import { openRunModels, type RunModels, wasRefused } from "./run_models.ts";
import { carryInto } from "./spending.ts";
import { limitWords, shortfallWords } from "./spent.ts";

/** A side, and what it cost. */
export interface ModelSide extends Side {
  /** What its models have used. */
  readonly cost: SideCost;
}

/** What the cells of all sides have in common. */
export interface ModelRuns {
  /** Selectors, subject, seed, repeats and jobs; lane and models are set here. */
  readonly run: Omit<RunOptions, "lane" | "models" | "typed" | "resume">;
  /** How live models are asked; limits are for all sides together. */
  readonly live: LiveOptions;
  /** What somebody types who runs one side alone, by the long names of options: the subject, and how live models are asked. */
  readonly typed: Readonly<Record<string, unknown>> & { readonly subject: string };
}

/**
 * Runs the cells of each model, in `wire`, as all of them must for a pair: those that are kept from an earlier run of the
 * same are not run again, nor paid for again.
 *
 * @returns The sides; fewer if it was interrupted.
 * @throws {UsageError} If a model cannot be asked, its provider included, or a limit was met: what has ended is kept.
 * @throws {NothingSelected} If nothing is selected.
 */
export async function runModelSides(names: readonly string[], runs: ModelRuns, io: CliIo): Promise<ModelSide[]> {
  const resolved = resolveFound(await select(runs.run.selectors, io));
  if (!resolved.ok) throw new UsageError(resolved.problems.map(formatProblem).join("; "));
  const choices = names.map((name) => ({ name, choice: choiceOf([name]) }));
  const labels = choices.map(({ choice }) => choice === undefined ? "scripted" : choiceLabel(choice));
  const twice = labels.find((label, i) => labels.indexOf(label) !== i);
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; compare two models`);
  const subject = await runs.run.subject.load();
  // All of them before the first is asked anything: what is missing for the last one is found out before anybody is paid.
  using stack = new DisposableStack();
  const planned: PlannedSide[] = [];
  for (const { name, choice } of choices) {
    const models: ModelOptions | undefined = choice && { kind: "live", choice, live: runs.live };
    const options = optionsOf(runs, name, models);
    const specs = resolved.value.flatMap((scenario) => cellsOf(scenario, subject, options));
    const opened = models === undefined ? undefined : stack.use(await openRunModels(specs, models, io));
    planned.push({ options, models: opened, specs: opened?.specs ?? specs });
  }
  const kept = planned.map(({ specs, options }) => sameRun(specs, options, io.runs ?? RUNS));
  const used = kept.map((run) => run?.used ?? NOTHING_USED);
  const sides: ModelSide[] = [];
  for (const [n, side] of planned.entries()) {
    // The limits are for all sides together: each counts what the others have used, now and before; its own is its run's.
    if (side.models?.purse !== undefined) carryInto(side.models.purse, sumOf(used.filter((_, i) => i !== n)));
    const done = await runSide(side, kept[n]?.id, io);
    if (done === undefined) break;
    used[n] = sumOf([used[n] ?? NOTHING_USED, side.models?.purse?.account ?? NOTHING_USED]);
    sides.push(done);
  }
  return sides;
}

/** A side that can be run. */
interface PlannedSide {
  readonly options: RunOptions;
  /** Its models, ready; none of the script. */
  readonly models: RunModels | undefined;
  readonly specs: readonly CellSpec[];
}

function optionsOf({ run, typed: asTyped }: ModelRuns, name: string, models: ModelOptions | undefined): RunOptions {
  const { selectors, repeat, seed } = run;
  const { subject, ...limits } = asTyped;
  const typed = { lane: "wire", subject, repeat: String(repeat), seed: String(seed) };
  return {
    ...run,
    selectors,
    lane: "wire",
    // As somebody would type it who runs this side alone.
    typed: models === undefined ? typed : { ...typed, ...limits, model: [name] },
    ...(models === undefined ? {} : { models }),
  };
}

/** One side; `undefined` if it was interrupted. */
async function runSide(
  { options, models, specs }: PlannedSide,
  id: string | undefined,
  io: CliIo,
): Promise<ModelSide | undefined> {
  using begun = begin(specs, id === undefined ? options : { ...options, resume: id }, io, io.runs ?? RUNS);
  if (models?.purse !== undefined) begun.count(models.purse);
  const refused = new Set<number>();
  const { ended, strays } = await runWatched(specs, options, io, {
    done: begun.done,
    keep: (result, n) => {
      begun.keep(result, n);
      if (wasRefused(result.trace)) refused.add(n);
    },
    isOver: () => models?.outage() !== undefined,
  });
  for (const line of models?.lines() ?? []) io.err(`brownout: ${line}\n`);
  for (const stray of strays) io.err(`brownout: something ran on after its cell had ended, and failed: ${stray}\n`);
  if (io.signal.aborted) {
    io.err(`brownout: interrupted after ${ended} of ${specs.length} cells${begun.howToGoOn()}\n`);
    return undefined;
  }
  const outage = models?.outage();
  if (outage !== undefined) {
    begun.run.forget(refused);
    throw new UsageError(
      `${outage}; ${
        ended - refused.size
      } of ${specs.length} cells have ended, so there is nothing whole to compare; what ` +
        "has ended is kept, and the same command runs only what is missing",
    );
  }
  if (refused.size > 0) {
    begun.run.forget(refused);
    const short = models?.purse?.shortfall;
    const [needed, higher] = short === undefined
      ? ["", "a higher limit"]
      : [`${shortfallWords(short)}; `, limitWords(short.suffice)];
    throw new UsageError(
      `a limit was met in ${refused.size} of ${specs.length} cells, so there is nothing whole to compare; ${needed}the ` +
        `others are kept, and the same command with ${higher} runs only what is missing`,
    );
  }
  const report = begun.run.report();
  begun.finish(report.outcome);
  return sideOf(specs[0]?.cell.model ?? "", report);
}

function sideOf(label: string, report: RunReport): ModelSide {
  const read = readReport([...jsonChunks(report)].join(""), label);
  if (!read.ok) throw new Error(read.problems.join("; "));
  return { label, cells: read.cells, cost: costOf(label, report) };
}

function costOf(label: string, { cells }: RunReport): SideCost {
  let tokens = 0;
  let usd: number | null = 0;
  // A script is asked nothing that anybody is paid for.
  const isFree = label === "scripted";
  for (const { scores } of cells) {
    const cost = scores.find(({ id }) => id === "cost");
    tokens += cost?.value ?? 0;
    const paid = isFree ? 0 : cost?.components.find(({ id }) => id === "usd")?.value ?? null;
    usd = usd === null || paid === null ? null : usd + paid;
  }
  return { label, cells: cells.length, tokens, usd: usd === null ? null : Number(usd.toFixed(6)) };
}
