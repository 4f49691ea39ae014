/**
 * A run whose cells are kept as they end. Nobody holds a trace for longer than its cell takes; the report is made of what
 * is kept, so that it is the same whether the run was interrupted or not.
 */
import { factsOf } from "./report/facts.ts";
import { type CellGist, gistOf } from "./report/gist.ts";
import { cellJson } from "./report/json.ts";
import { type CellReport, type Cells, reportOf, type RunReport } from "./report/report.ts";
import { tellingRank } from "./report/telling.ts";
import type { CellResult } from "./runner/run.ts";
import { agreeLanes, twinsOf } from "./score/lanes_agree.ts";
import type { RunStore } from "./store/run_store.ts";
import { type Cell, cellId, type Trace } from "./trace/event.ts";
import { writeTrace } from "./trace/jsonl.ts";
import type { TraceFolder } from "./trace_folder.ts";

/** Up to so many cells each leaves its trace where nobody has asked for traces; of more, those that are not green. */
export const MANY_CELLS = 1000;

/** Options of {@linkcode KeptRun}. */
export interface KeptRunOptions {
  /** Where traces are written as files. */
  readonly traces?: TraceFolder;
  /** Whether the traces of green cells are written, too. */
  readonly allTraces: boolean;
  /** Whether every cell's timeline will be shown. */
  readonly timelines: boolean;
}

/** See the module. */
export class KeptRun {
  readonly #store: RunStore;
  readonly #cells: readonly Cell[];
  readonly #options: KeptRunOptions;
  /** Cells whose traces are compared with another lane's. */
  readonly #twins: ReadonlySet<number>;
  #best: { readonly n: number; readonly rank: number } | undefined;

  /** @param cells All of the run, in order. */
  constructor(store: RunStore, cells: readonly Cell[], options: KeptRunOptions) {
    this.#store = store;
    this.#cells = cells;
    this.#options = options;
    this.#twins = new Set(twinsOf(cells).flatMap(({ sim, wire }) => [sim, wire]));
    this.#best = store.telling();
  }

  /**
   * Keeps a cell that has ended: first its trace, then its result, so that no cell counts as ended whose trace is missing.
   *
   * @throws {StoreError} If it cannot be kept.
   */
  keep(result: CellResult, n: number): void {
    const { trace, scorecard: { outcome } } = result;
    const facts = factsOf(result);
    const rank = tellingRank({ outcome, answer: facts.report.answer?.status, isSmoke: trace.scenario.smoke });
    const { traces, allTraces, timelines } = this.#options;
    const best = this.#best;
    const isBest = best === undefined || rank < best.rank || rank === best.rank && n < best.n;
    if (isBest) this.#best = { n, rank };
    const isFiled = traces !== undefined && (allTraces || outcome !== "pass");
    const isStored = isBest || timelines || this.#twins.has(n);
    const text = isFiled || isStored ? writeTrace(trace) : "";
    if (isFiled) traces.write(trace.cell, text);
    this.#store.save({
      n,
      cell: cellId(trace.cell),
      rank,
      gist: JSON.stringify(gistOf(facts)),
      result: cellJson(facts.report),
      ...(isStored ? { trace: text } : {}),
    });
  }

  /** Lets cells go that say nothing of their subject; whoever goes on with the run runs them again. */
  forget(numbers: Iterable<number>): void {
    this.#store.forget(numbers);
  }

  /**
   * The report.
   *
   * @param early Why the run was ended before all cells had, and the cells on which it broke off; all have ended if left out.
   * @throws {StoreError} If what is kept is damaged.
   */
  report(early?: { readonly why: string; readonly brokenOff: ReadonlySet<number> }): RunReport {
    const numbers = this.#numbers(early === undefined ? undefined : this.#store.done());
    const agreement = agreeLanes(numbers.flatMap((n) => this.#cells[n] ?? []), (index) => ({
      checks: this.#cell(numbers[index] ?? index).checks,
      trace: () => this.#trace(numbers[index] ?? index),
    }));
    const cells = new KeptCells(numbers, this.#store);
    return reportOf(this.#gists(numbers), agreement, cells, early && this.#partial(early, new Set(numbers)));
  }

  #partial({ why, brokenOff }: { readonly why: string; readonly brokenOff: ReadonlySet<number> }, ran: Set<number>) {
    const named = (numbers: readonly number[]) => numbers.flatMap((n) => this.#cells[n] ?? []).map(cellId);
    const all = this.#numbers();
    return {
      why,
      planned: all.length,
      ended: ran.difference(brokenOff).size,
      notRun: named(all.filter((n) => !ran.has(n))),
      brokenOff: named(all.filter((n) => brokenOff.has(n))),
    };
  }

  /** Numbers of the cells, in order: of all, or of these. */
  #numbers(only?: ReadonlySet<number>): number[] {
    return this.#cells.keys().filter((n) => only?.has(n) ?? true).toArray();
  }

  /** Cells whose timeline may be shown, one at a time: all, or the one that is most worth a look. */
  *telling(all: boolean): Generator<CellResult> {
    const best = this.#store.telling();
    const numbers = all ? this.#numbers(this.#store.done()) : best === undefined ? [] : [best.n];
    for (const n of numbers) {
      const { outcome, checks, scores } = this.#cell(n);
      yield { trace: this.#trace(n), scorecard: { outcome, checks, scores } };
    }
  }

  /** What {@linkcode keep} has written, which the store has held against its digest. */
  *#gists(numbers: readonly number[]): Generator<CellGist> {
    for (const n of numbers) yield JSON.parse(this.#store.gist(n));
  }

  #cell(n: number): CellReport {
    return JSON.parse(this.#store.result(n));
  }

  #trace(n: number): Trace {
    const [header = "{}", ...events] = (this.#store.trace(n) ?? "").trimEnd().split("\n");
    return { ...JSON.parse(header), events: events.map((event) => JSON.parse(event)) };
  }
}

/** The cells of a report, read from the store whenever they are asked for. */
class KeptCells implements Cells {
  constructor(private readonly numbers: readonly number[], private readonly store: RunStore) {}

  get length(): number {
    return this.numbers.length;
  }

  *[Symbol.iterator](): Generator<CellReport> {
    for (const text of this.texts()) yield JSON.parse(text);
  }

  *texts(): Generator<string> {
    for (const n of this.numbers) yield this.store.result(n);
  }
}
