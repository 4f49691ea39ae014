/**
 * What the graph engine itself costs: a fan-out of n workers that do nothing, here, in `@langchain/langgraph` and as a
 * bare `Promise.all`, in one run and interleaved, so that all of them meet the same machine.
 *
 * `deno run --allow-env --allow-read=. --allow-sys=homedir harness/perf/engine.ts [--full]`; the permissions are langgraph's.
 */
import {
  Annotation,
  END as LG_END,
  Send as LgSend,
  START as LG_START,
  StateGraph,
} from "npm:@langchain/langgraph@1.7.3";
import { append, END, graph, send, START } from "../../agents/engine/mod.ts";
import { RealClock } from "../../core/mod.ts";

/** Something that can fan out. */
export type Contender = "engine" | "langgraph" | "Promise.all";

/** What one contender needed for one size. */
export interface EngineFigure {
  /** Workers in the fan-out. */
  readonly workers: number;
  /** Who ran them. */
  readonly contender: Contender;
  /** The fastest whole run, in milliseconds: plan, n workers, collector. */
  readonly minMs: number;
  /** The median whole run, in milliseconds. */
  readonly medianMs: number;
  /** Rounds measured; each is the mean of several runs when one run is too short to time. */
  readonly rounds: number;
}

/** Options of {@linkcode engineBench}. */
export interface EngineBenchOptions {
  /**
   * Also run langgraph with 10,000 workers, which takes a minute or two.
   *
   * @default false
   */
  readonly full?: boolean;
}

type Fan = (workers: number) => Promise<number>;

const clock = new RealClock();

/** plan → n Sends to a worker → a list → collect, here. */
function ours(): Fan {
  const compiled = graph({ items: append<number>(), results: append<number>() })
    .node("plan", () => {})
    .node("worker", async (_state, { payload }) => ({ results: [Number(await payload)] }))
    .node("collect", () => {})
    .edge(START, "plan")
    .branch("plan", ({ items }) => items.map((item) => send("worker", item)), { targets: ["worker"] })
    .edge("worker", "collect")
    .edge("collect", END)
    .compile({ stepCap: 10, deadlineMs: 600_000 });
  return async (workers) => (await compiled.run({ items: numbers(workers) }, { clock })).state.results.length;
}

/** The same graph, the way langgraph's own pages teach map-reduce. */
function langgraph(): Fan {
  const join = (current: number[], update: number[]) => current.concat(update);
  const State = Annotation.Root({
    items: Annotation<number[]>({ reducer: join, default: () => [] }),
    results: Annotation<number[]>({ reducer: join, default: () => [] }),
  });
  const compiled = new StateGraph(State)
    .addNode("plan", () => ({}))
    .addNode("worker", async (item: unknown) => ({ results: [Number(await item)] }))
    .addNode("collect", () => ({}))
    .addEdge(LG_START, "plan")
    .addConditionalEdges("plan", ({ items }) => items.map((item) => new LgSend("worker", item)), ["worker"])
    .addEdge("worker", "collect")
    .addEdge("collect", LG_END)
    .compile();
  return async (workers) => {
    const state = await compiled.invoke({ items: numbers(workers) }, { recursionLimit: 10 });
    return state.results.length;
  };
}

/** The floor: no graph, no state, no failures. */
function promiseAll(): Fan {
  const worker = async (item: number) => ({ results: [Number(await item)] });
  return async (workers) => (await Promise.all(numbers(workers).map(worker))).flatMap(({ results }) => results).length;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Rounds, and runs a round, by size: enough for a steady minimum, few enough to wait for. */
const SIZES = [
  { workers: 3, rounds: 60, runs: { engine: 300, langgraph: 5, "Promise.all": 1_000 } },
  { workers: 100, rounds: 30, runs: { engine: 30, langgraph: 1, "Promise.all": 100 } },
  { workers: 1_000, rounds: 7, runs: { engine: 20, langgraph: 1, "Promise.all": 50 } },
  { workers: 10_000, rounds: 7, runs: { engine: 3, langgraph: 1, "Promise.all": 5 } },
] as const;

/** Above this many workers langgraph takes a minute or more, and runs only when asked to, once. */
const LANGGRAPH_MAX = 1_000;

/**
 * Measures all contenders at 3, 100, 1,000 and 10,000 workers.
 *
 * @returns A figure for each contender and size; langgraph has none at 10,000 unless `full` is set.
 * @throws {Error} If a contender loses a worker's result.
 */
export async function engineBench({ full = false }: EngineBenchOptions = {}): Promise<EngineFigure[]> {
  const contenders: Record<Contender, Fan> = { engine: ours(), langgraph: langgraph(), "Promise.all": promiseAll() };
  const names: readonly Contender[] = ["engine", "langgraph", "Promise.all"];
  for (const name of names) {
    // Warm up, until the code is compiled for both few and many workers.
    await timed(name, contenders[name], 100, name === "langgraph" ? 10 : 500);
    await timed(name, contenders[name], 3, name === "langgraph" ? 50 : 5_000);
  }
  const figures: EngineFigure[] = [];
  for (const { workers, rounds, runs } of SIZES) {
    const samples = new Map<Contender, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const name of names) {
        const tooLarge = name === "langgraph" && workers > LANGGRAPH_MAX;
        if (tooLarge && !(full && round === 0)) continue;
        samples.get(name)?.push(await timed(name, contenders[name], workers, runs[name]));
      }
    }
    for (const [contender, list] of samples) {
      const sorted = list.toSorted((a, b) => a - b);
      const [minMs, medianMs] = [sorted[0], sorted[sorted.length >> 1]];
      if (minMs === undefined || medianMs === undefined) continue;
      figures.push({ workers, contender, minMs, medianMs, rounds: sorted.length });
    }
  }
  return figures;
}

/** Mean milliseconds of a run. */
async function timed(name: Contender, fan: Fan, workers: number, runs: number): Promise<number> {
  const start = performance.now();
  for (let run = 0; run < runs; run++) {
    const results = await fan(workers);
    if (results !== workers) throw new Error(`${name} returned ${results} of ${workers} results`);
  }
  return (performance.now() - start) / runs;
}

/** The figures as a table of at most 100 columns. */
export function engineTable(figures: readonly EngineFigure[]): string {
  const columns = ["workers", "contender", "run ms min", "median", "µs/worker min", "median", "rounds", "× engine"];
  const widths = [7, 11, 12, 10, 13, 9, 6, 9];
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => i === 1 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)).join("  ").trimEnd();
  const rows = figures.map(({ workers, contender, minMs, medianMs, rounds }) => {
    const base = figures.find((other) => other.workers === workers && other.contender === "engine");
    const perWorker = (ms: number) => (ms * 1_000 / workers).toFixed(2);
    const ratio = base === undefined ? "" : (medianMs / base.medianMs).toFixed(medianMs < 10 * base.medianMs ? 2 : 0);
    return line([
      workers.toLocaleString("en"),
      contender,
      minMs.toFixed(4),
      medianMs.toFixed(4),
      perWorker(minMs),
      perWorker(medianMs),
      String(rounds),
      ratio,
    ]);
  });
  return [line(columns), ...rows].join("\n");
}

if (import.meta.main) {
  const full = Deno.args.includes("--full");
  const figures = await engineBench({ full });
  const three = figures.find(({ workers, contender }) => workers === 3 && contender === "engine");
  const notes = [
    engineTable(figures),
    "",
    `a whole run of three workers in the engine: ${three?.medianMs.toFixed(4)} ms median, ${
      three?.minMs.toFixed(4)
    } ms min (target 0.5 ms)`,
    "ratios are of medians; one run is plan, n workers that do nothing, collector",
    full
      ? "langgraph at 10,000 ran once, without a warm-up at that size"
      : "langgraph at 10,000 skipped: it takes a minute or two; --full runs it once",
  ];
  await Deno.stdout.write(new TextEncoder().encode(notes.join("\n") + "\n"));
}
