/** Runs many cells with bounded concurrency. The order of the results is the order of the cells, whatever ends first. */
import type { Judged } from "../judge/judged.ts";
import type { Lane } from "../lanes/lane.ts";
import type { Scorecard } from "../score/check.ts";
import { scoreTrace } from "../score/score.ts";
import type { LaneName, Trace } from "../trace/event.ts";
import { type CellSpec, runCell } from "./cell.ts";

/** A cell that has been run and scored. */
export interface CellResult {
  /** What happened. */
  readonly trace: Trace;
  /** What is thought of it. */
  readonly scorecard: Scorecard;
  /** What a judge has said of it, where one was asked. */
  readonly judged?: Judged;
}

/** How to run. */
export interface RunCellsOptions {
  /** How many cells may run at once, at least 1. */
  readonly jobs: number;
  /** Opens a lane the first time a cell needs it. It is closed before the run ends. */
  readonly openLane: (name: LaneName) => Lane;
  /** No more cells are begun once it aborts. */
  readonly signal?: AbortSignal;
  /** Told of each result as it comes, in the order in which cells end. */
  readonly onResult?: (result: CellResult, index: number) => void;
}

/** How to run cells whose results are let go. */
export interface EachCellOptions extends Omit<RunCellsOptions, "onResult"> {
  /**
   * Given each result as it comes, in the order in which cells end. Whoever ran the cell takes no other before this
   * returns, and nobody holds the result afterwards.
   */
  readonly onResult: (result: CellResult, index: number) => void;
  /** Judges what was scored; nothing of the scorecard depends on it. What it throws once the signal aborts is let go. */
  readonly judge?: (spec: CellSpec, trace: Trace) => Promise<Judged | undefined>;
}

/**
 * Runs cells.
 *
 * @returns One result a cell, in the cells' order; fewer if the signal aborted.
 * @throws {RangeError} If `jobs` is not a whole number of at least 1.
 * @throws What `onResult` or a scorer threw; no cell is running any more then.
 */
export async function runCells(specs: readonly CellSpec[], options: RunCellsOptions): Promise<CellResult[]> {
  const results: (CellResult | undefined)[] = specs.map(() => undefined);
  await runEach(specs.entries(), {
    ...options,
    onResult: (result, index) => {
      results[index] = result;
      options.onResult?.(result, index);
    },
  });
  return results.filter((result) => result !== undefined);
}

/**
 * Runs cells and holds none of their results.
 *
 * @param specs Each with the number that `onResult` is told.
 * @throws {RangeError} If `jobs` is not a whole number of at least 1.
 * @throws What `onResult` or a scorer threw; no cell is running any more then.
 */
export async function runEach(
  specs: Iterable<readonly [index: number, spec: CellSpec]>,
  { jobs, signal, onResult, openLane, judge }: EachCellOptions,
): Promise<void> {
  if (!Number.isInteger(jobs) || jobs < 1) {
    throw new RangeError(`jobs must be a whole number of at least 1; got ${jobs}`);
  }
  await using lanes = new Lanes(openLane);
  // One iterator for all: each cell is taken once.
  const queue = (function* () {
    yield* specs;
  })();
  let failed = false;
  const work = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const [index, spec] = next.value;
      const trace = await runCell(signal === undefined ? spec : { ...spec, signal }, lanes.get(spec.cell.lane));
      // What a cell that was called off came to is no result.
      if (signal?.aborted || failed) return;
      const scorecard = scoreTrace(trace);
      const judged = await judge?.(spec, trace).catch((error) => {
        if (!signal?.aborted) throw error;
      });
      if (signal?.aborted || failed) return;
      onResult({ trace, scorecard, ...(judged ? { judged } : {}) }, index);
    }
  };
  const workers = Array.from({ length: jobs }, () =>
    work().catch((error) => {
      failed = true;
      throw error;
    }));
  // All of them, whatever one comes to: a lane must not be closed under a cell that runs.
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** The lanes of a run, each opened when a cell first needs it. */
class Lanes implements AsyncDisposable {
  readonly #opened = new Map<LaneName, Lane>();
  readonly #stack = new AsyncDisposableStack();

  constructor(private readonly open: (name: LaneName) => Lane) {}

  get(name: LaneName): Lane {
    const opened = this.#opened.get(name);
    if (opened !== undefined) return opened;
    const lane = this.#stack.use(this.open(name));
    this.#opened.set(name, lane);
    return lane;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
