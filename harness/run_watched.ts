/** Runs the cells of a run and shows how far it is. Whatever ends the process, no server outlives it. */
import { killChildren, oneLine } from "../core/mod.ts";
import { UsageError } from "./cli/exit.ts";
import type { CliIo } from "./cli/io.ts";
import type { RunOptions } from "./cli/options.ts";
import type { CellJudge } from "./judge/cell_judge.ts";
import type { Lane } from "./lanes/lane.ts";
import { wasRefused } from "./models/run_models.ts";
import { progressEntry, progressLine } from "./report/progress.ts";
import type { CellSpec } from "./runner/cell.ts";
import { type CellResult, runEach } from "./runner/run.ts";
import { cellId, type LaneName } from "./trace/event.ts";

/** What becomes of the results. */
export interface Watching {
  /** Numbers of the cells that have ended in an earlier life of the run: they are not run again. */
  readonly done: ReadonlySet<number>;
  /** Keeps a result; the cell's number is its place among all. */
  readonly keep: (result: CellResult, n: number) => void;
  /** Judges each answer; none if left out. */
  readonly judge?: CellJudge;
  /** Whether no more cells need to begin; asked before each. Those that run end all the same. Never, if left out. */
  readonly isOver?: () => boolean;
}

/** What came of it. */
export interface Watched {
  /** How many cells have ended, those of earlier lives included. */
  readonly ended: number;
  /** What ran on after its cell had ended, and failed. */
  readonly strays: readonly string[];
}

/**
 * Runs what has not ended yet.
 *
 * @throws {UsageError} If a lane needs what this task may not do.
 * @throws What `keep` threw; no cell is running any more then.
 */
export async function runWatched(
  specs: readonly CellSpec[],
  { jobs, ask }: Pick<RunOptions, "jobs" | "ask">,
  io: CliIo,
  { done, keep, judge, isOver = () => false }: Watching,
): Promise<Watched> {
  const total = specs.length;
  const outcomes = { pass: 0, fail: 0, error: 0, untestable: 0 };
  let ended = done.size;
  // Loaded only by a run that needs it, so that `sim` runs without the permissions that `wire` needs.
  const left = specs.entries().filter(([n]) => !done.has(n)).toArray();
  const needed = new Set(left.map(([, { cell }]) => cell.lane));
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
    await runEach(until(left, isOver), {
      jobs,
      openLane: (name) => (makers.get(name) ?? unknownLane(name))(),
      signal: io.signal,
      // What was refused says nothing of its subject, and is run again.
      ...(judge === undefined ? {} : {
        judge: async (spec, trace) => wasRefused(trace) ? undefined : await judge.judge(spec, trace, io.signal),
      }),
      onResult: (result, n) => {
        keep(result, n);
        const { trace, scorecard: { outcome } } = result;
        outcomes[outcome]++;
        ended++;
        // Where questions are asked, a line that is written over would write over them.
        if (io.isTerminal && ask === undefined) {
          io.err(`\r${progressLine(ended, total, outcomes, io.columns - 1)}`);
        } else io.err(`${progressEntry(ended, total, { id: cellId(trace.cell), outcome }, io.columns)}\n`);
      },
    });
    return { ended, strays };
  } finally {
    if (io.isTerminal && ask === undefined) io.err(`\r${" ".repeat(io.columns - 1)}\r`);
    killChildren();
    globalThis.removeEventListener("unhandledrejection", onStray);
    io.signal.removeEventListener("abort", atExit);
    globalThis.removeEventListener("unload", atExit);
  }
}

/** The cells, up to where it is over. */
function* until<T>(cells: Iterable<T>, isOver: () => boolean): Generator<T> {
  for (const cell of cells) {
    if (isOver()) return;
    yield cell;
  }
}

function unknownLane(name: string): never {
  throw new RangeError(`no lane ${name}`);
}
