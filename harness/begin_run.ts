/** Begins a run, or goes on with one that has not ended. */
import { join } from "node:path/posix";
import { keptIn } from "./artefacts.ts";
import type { Account } from "../agents/models/live/account.ts";
import type { Purse, PurseLimits, Shortfall } from "../agents/models/live/purse.ts";
import { clip, digest, oneLine } from "../core/mod.ts";
import { commandOf, mattering, taskOf } from "./cli/command_line.ts";
import { UsageError } from "./cli/exit.ts";
import type { CliIo } from "./cli/io.ts";
import type { RunOptions } from "./cli/options.ts";
import { KeptRun, MANY_CELLS } from "./kept_run.ts";
import { keepSpending, readSpending } from "./models/spending.ts";
import { isNothing, shortfallWords, usedWords } from "./models/spent.ts";
import type { CellSpec } from "./runner/cell.ts";
import type { CellResult } from "./runner/run.ts";
import { codeDigest } from "./store/code.ts";
import { StoreError } from "./store/error.ts";
import { type NewRun, RunsFolder } from "./store/folder.ts";
import { changedScenarios, differences, fingerprintOf, type RunPlan } from "./store/plan.ts";
import { RunStore } from "./store/run_store.ts";
import { TraceFolder } from "./trace_folder.ts";

/** A run that has been begun, now or earlier. */
export interface Begun extends Disposable {
  /** What is kept of it. */
  readonly run: KeptRun;
  /**
   * Keeps a cell that has ended.
   *
   * @throws {UsageError} If it cannot be kept, with what to do.
   */
  readonly keep: (result: CellResult, n: number) => void;
  /** Numbers of the cells that have ended already. */
  readonly done: ReadonlySet<number>;
  /** The folder that is to become the latest run; none where nothing can be written, or the run was published before. */
  readonly own: string | undefined;
  /** Where its traces go. */
  readonly traces: TraceFolder | undefined;
  /** Says something on stderr. */
  readonly note: (text: string) => void;
  /**
   * Counts what the run's models have used in earlier lives against its limits, and keeps what they use in this one.
   *
   * @throws {UsageError} If a limit cannot be kept.
   */
  count(purse: Purse): void;
  /** Whether there is nothing of it, no cell and nothing spent, so that nothing of it stays. */
  isNothing(without: ReadonlySet<number>): boolean;
  /**
   * What is to be said of a run that was interrupted: what is kept, and the command that goes on.
   *
   * @param short What a call lacked, where a limit is why it stopped: the command has limits that suffice.
   */
  howToGoOn(short?: Shortfall): string;
  /** Notes that its report has been made. */
  finish(outcome: string): void;
}

/**
 * Begins a run. One that cannot be kept is run all the same, and stderr says so: a checkout may be read-only.
 *
 * @param runs The folder of runs.
 * @throws {UsageError} If it is to go on with a run that it cannot go on with.
 */
export function begin(specs: readonly CellSpec[], options: RunOptions, io: CliIo, runs: string): Begun {
  const folder = new RunsFolder(keptIn(runs));
  const plan = planOf(specs, options);
  const run: NewRun = { command: commandOf(options), plan, fingerprint: fingerprintOf(plan) };
  const note = (text: string) => io.err(`brownout: ${oneLine(text)}\n`);
  const opened = options.resume === undefined
    ? fresh(folder, run, note)
    : resumed(folder, run, options.resume, note, { total: specs.length, compared: comparedWords(options) });
  const { id, store } = opened;
  const { finished } = store.state();
  // A run that has ended was the latest at its time, and is told again without becoming it.
  const own = id === undefined ? undefined : join(folder.of(id), "latest");
  const path = options.trace ?? (own === undefined || finished !== undefined ? undefined : join(own, "traces"));
  const traces = path === undefined ? undefined : new TraceFolder(path, id);
  if (options.resume !== undefined) traces?.tidy();
  const kept = new KeptRun(store, specs.map(({ cell }) => cell), {
    ...(traces === undefined ? {} : { traces }),
    allTraces: options.trace !== undefined || specs.length <= MANY_CELLS,
    timelines: options.timeline,
  });
  const { command } = store.state();
  let counted: Purse | undefined;
  const goOn = id === undefined ? undefined : `deno task ${taskOf(command)} ${command} --resume ${id}`;
  return {
    run: kept,
    keep: (result, n) => {
      try {
        kept.keep(result, n);
      } catch (error) {
        if (!(error instanceof StoreError) || goOn === undefined) throw error;
        throw new UsageError(`${error.message}; then go on with: ${goOn}`);
      }
    },
    done: store.done(),
    own: finished === undefined ? own : undefined,
    traces,
    note,
    count: (purse) => {
      counted = purse;
      keepSpending(purse, store, note);
    },
    isNothing: (without) => store.done().isSubsetOf(without) && !hasSpent(store),
    howToGoOn: (short) =>
      goOn === undefined || id === undefined
        ? ", which are not kept"
        : short === undefined
        ? `, which are kept; to go on: ${goOn}`
        : `, which are kept; ${shortfallWords(short)}; to go on: ${withLimits(options, short.suffice, id)}`,
    finish: (outcome) => {
      if (finished === undefined) store.finish(outcome, new Date().toISOString());
    },
    [Symbol.dispose]: () => {
      // A call that comes back late is nobody's any more.
      counted?.watch(undefined);
      const isEmpty = store.isEmpty() && !hasSpent(store);
      store[Symbol.dispose]();
      // Of a run that came to nothing at once nothing is worth keeping.
      if (id !== undefined && options.resume === undefined && isEmpty) folder.remove(id);
    },
  };
}

/** What was typed, with higher limits: the same once more would stop at the same place. */
function withLimits(options: RunOptions, { maxCostUsd, maxTokens }: PurseLimits, id: string): string {
  const limits = {
    ...(maxCostUsd === undefined ? {} : { maxCost: String(maxCostUsd) }),
    ...(maxTokens === undefined ? {} : { maxTokens: String(maxTokens) }),
  };
  const command = commandOf({ ...options, typed: { ...options.typed, ...limits } });
  return `deno task ${taskOf(command)} ${command} --resume ${id}`;
}

/**
 * The latest run that is kept and made of the same, whether it has ended or not: its cells need not be run again.
 *
 * @param runs The folder of runs.
 * @returns Its name, and what its models have used so far.
 */
export function sameRun(
  specs: readonly CellSpec[],
  options: RunOptions,
  runs: string,
): { readonly id: string; readonly used: Account } | undefined {
  const fingerprint = fingerprintOf(planOf(specs, options));
  for (const kept of new RunsFolder(keptIn(runs)).list()) {
    if (!("state" in kept) || kept.state.fingerprint !== fingerprint) continue;
    return { id: kept.id, used: readSpending(kept.state.spent) };
  }
  return undefined;
}

function hasSpent(store: RunStore): boolean {
  return !isNothing(readSpending(store.state().spent));
}

/** Everything by which the cells could differ. */
function planOf(specs: readonly CellSpec[], options: RunOptions): RunPlan {
  const scenarios = new Map<string, string>();
  for (const { scenario } of specs) {
    const name = scenario.variant === null ? scenario.name : `${scenario.name}/${scenario.variant}`;
    if (!scenarios.has(name)) scenarios.set(name, digest(scenario).slice(0, 16));
  }
  return {
    code: codeDigest(),
    ...(options.subject.files === undefined ? {} : { subject: options.subject.files().digest }),
    scenarios: Object.fromEntries(scenarios),
    options: mattering(options),
    cells: specs.length,
  };
}

/** Most files of a subject that are named. */
const MAX_FILES = 5;

/** By what a subject is known to be the same; nothing of one that is a part of the bench. */
function comparedWords({ subject: { files } }: RunOptions): string {
  const names = files?.().names;
  if (names === undefined) return "";
  if (names.length === 0) return "its command alone, which names no file";
  const left = names.length - MAX_FILES;
  return `${names.length === 1 ? "the file" : "the files"} ${names.slice(0, MAX_FILES).join(", ")}${
    left > 0 ? ` and ${left} more` : ""
  }`;
}

interface Opened {
  /** None for a run that is not kept. */
  readonly id: string | undefined;
  readonly store: RunStore;
}

function fresh(folder: RunsFolder, run: NewRun, note: (text: string) => void): Opened {
  try {
    const begun = folder.begin(run, Date.now());
    folder.prune();
    return begun;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    note(`this run is not kept and cannot be resumed: ${error.message}`);
    const id = "unkept";
    return { id: undefined, store: RunStore.create(":memory:", { ...run, id, started: new Date().toISOString() }) };
  }
}

function resumed(
  folder: RunsFolder,
  run: NewRun,
  wanted: string | true,
  note: (text: string) => void,
  { total, compared }: { readonly total: number; readonly compared: string },
): Opened {
  const id = wanted === true ? latest(folder, run) : wanted;
  if (!RunsFolder.isId(id)) {
    throw new UsageError(
      `--resume ${shown(id)}: no run is called so; give one of bench list --runs, and selectors before --resume`,
    );
  }
  let store: RunStore;
  try {
    store = folder.open(id);
  } catch (error) {
    if (!(error instanceof StoreError && error.trouble === "missing")) throw error;
    throw new UsageError(`--resume ${shown(id)}: no such run is kept; bench list --runs shows those that are`);
  }
  try {
    const { plan, command, done, spent } = store.state();
    const changes = differences(plan, run.plan);
    if (changes.length > 0) {
      throw new UsageError(
        `--resume ${id}: it was begun as something else: ${changes.join("; ")}${
          compared === "" || plan.subject === run.plan.subject ? "" : ` (by ${compared})`
        }; ${whatToDo({ id, command, plan }, run)}`,
      );
    }
    const used = readSpending(spent);
    const isPaid = !isNothing(used);
    note(
      `goes on with run ${id}: ${done} of ${total} cells have ended${
        isPaid ? `; its models have used ${usedWords(used)} so far, which limits count` : ""
      }${compared === "" ? "" : `; the subject is the same by ${compared}`}`,
    );
    return { id, store };
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** The latest run that has not ended and is made of the same. */
function latest(folder: RunsFolder, run: NewRun): string {
  const { fingerprint, plan } = run;
  const open = folder.list().flatMap((run) => "state" in run && run.state.finished === undefined ? [run.state] : []);
  const same = open.find((state) => state.fingerprint === fingerprint);
  if (same !== undefined) return same.id;
  const [last] = open;
  if (last === undefined) {
    throw new UsageError("--resume: every run that is kept has ended; begin one without --resume");
  }
  throw new UsageError(
    `--resume: no unfinished run is made of the same; the latest, ${last.id}, differs: ` +
      `${differences(last.plan, plan).join("; ")}; ${whatToDo(last, run)}`,
  );
}

/** What was typed then, unless that cannot help: no command goes on with a run of other code, or of other scenarios. */
function whatToDo(
  { id, command, plan }: Pick<NewRun, "command" | "plan"> & { readonly id: string },
  run: NewRun,
): string {
  const anew = "begin anew without --resume";
  if (plan.code !== run.plan.code || plan.subject !== run.plan.subject) return anew;
  const changed = changedScenarios(plan, run.plan).length;
  if (changed > 0) {
    return `put ${changed === 1 ? "it" : "them"} back as ${changed === 1 ? "it was" : "they were"}, or ${anew}`;
  }
  // The same words select something else now.
  if (command === run.command) return anew;
  return `go on with: deno task ${taskOf(command)} ${command} --resume ${id}, or ${anew}`;
}

const shown = (text: string): string => `"${clip(oneLine(text), 60)}"`;
