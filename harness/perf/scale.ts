/**
 * What the real command does with many cells: `deno task sim broken-policy-server --repeat N`, a process of its own, with
 * scoring, storing and the report. Each repeat is a cell with a schedule of its own, and the texts of one
 * scenario; beside it the project's own scenarios, which have different ones.
 *
 * `deno task perf scale [--full]`; `--full` is 10,000 cells too.
 */
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { measureProcess, type ProcessFigure } from "./process.ts";
import { print, spread, table } from "./stats.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** How many cells, and how often. The start is measured by one cell, and taken off. */
const SIZES = [{ cells: 1, rounds: 5 }, { cells: 100, rounds: 5 }, { cells: 1_000, rounds: 3 }] as const;
const LARGEST = { cells: 10_000, rounds: 1 } as const;

/** A size with its figures. */
export interface ScaleFigure {
  /** Cells, or tests. */
  readonly cells: number;
  /** One a round. */
  readonly runs: readonly ProcessFigure[];
}

/** Runs the command once on so many repeats of the three-server case, one at a time, as on one core. */
export async function runBench(cells: number): Promise<ProcessFigure> {
  return await bench(["broken-policy-server", "--repeat", String(cells)]);
}

async function bench(args: readonly string[]): Promise<ProcessFigure> {
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "brownout_scale_" });
  try {
    const options = ["--jobs", "1", "--output", `${folder}/report.json`];
    return await measureProcess(Deno.execPath(), [...await simTask(), ...args, ...options], { cwd: ROOT });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const Config = z.object({ tasks: z.object({ sim: z.object({ command: z.string() }) }) });

/** The arguments of `deno` in the task `sim`, as they stand in deno.json: what is measured is what people run. */
async function simTask(): Promise<string[]> {
  const { tasks: { sim: { command } } } = Config.parse(JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)));
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  if (words.shift() !== "deno") throw new Error(`deno.json: the task sim does not start with deno: ${command}`);
  return words.map((word) => word.replaceAll("$INIT_CWD", ROOT));
}

/** Median of one figure of some runs; `undefined` where it could not be read. */
function medianOf(runs: readonly ProcessFigure[], figure: keyof ProcessFigure): number | undefined {
  const known = runs.flatMap((run) => run[figure] ?? []);
  return known.length === 0 ? undefined : spread(known).median;
}

/** How many a second beyond the start, by the clock or by the processor; `undefined` where that cannot be told. */
export function rateBeyond(
  { cells, runs }: ScaleFigure,
  start: ScaleFigure,
  figure: "ms" | "cpuMs",
): number | undefined {
  const [all, one] = [medianOf(runs, figure), medianOf(start.runs, figure)];
  const more = cells - start.cells;
  return all === undefined || one === undefined || more <= 0 || all <= one ? undefined : more * 1000 / (all - one);
}

/** The figures of one command at several sizes, of which the first is its start. Medians; of memory the most. */
export function scaleTable(noun: string, figures: readonly ScaleFigure[]): string {
  const [start] = figures;
  return table([
    [noun, "s", "a second", "beyond start", "a CPU second", "peak MB"],
    ...figures.map((figure) => {
      const { cells, runs } = figure;
      const ms = medianOf(runs, "ms") ?? NaN;
      const peaks = runs.flatMap(({ peakMb }) => peakMb ?? []);
      const beyond = (of: "ms" | "cpuMs") => start === undefined ? undefined : rateBeyond(figure, start, of);
      return [
        cells.toLocaleString("en"),
        (ms / 1000).toFixed(2),
        cells === 1 ? "" : (cells * 1000 / ms).toFixed(0),
        beyond("ms")?.toFixed(0) ?? "",
        beyond("cpuMs")?.toFixed(0) ?? "",
        peaks.length === 0 ? "?" : Math.max(...peaks).toFixed(0),
      ];
    }),
  ]);
}

/** Measures, and prints a table. */
export async function scaleBench(full: boolean): Promise<void> {
  const figures: ScaleFigure[] = [];
  for (const { cells, rounds } of full ? [...SIZES, LARGEST] : SIZES) {
    const runs: ProcessFigure[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await runBench(cells));
    figures.push({ cells, runs });
  }
  print(
    "deno task sim broken-policy-server --repeat N -j 1: the whole process",
    scaleTable("cells", figures),
    "beyond start: without what one cell takes; a CPU second: the same of processor time, all threads together",
    ...(full ? [] : ["10,000 cells are left out; --full runs them too"]),
    "",
  );
  const all: ProcessFigure[] = [];
  for (let round = 0; round < 3; round++) all.push(await bench([]));
  const { min, median } = spread(all.map(({ ms }) => ms));
  const peaks = all.flatMap(({ peakMb }) => peakMb ?? []);
  print(
    "deno task sim -j 1: every scenario once, start and reading of the scenarios included",
    `seconds: ${(min / 1000).toFixed(2)} at best, ${(median / 1000).toFixed(2)} median; peak MB: ${
      peaks.length === 0 ? "?" : Math.max(...peaks).toFixed(0)
    }`,
  );
}

if (import.meta.main) await scaleBench(Deno.args.includes("--full"));
