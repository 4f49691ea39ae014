/**
 * A hundred three-server cells in the `wire` lane, start of the processes included: fixture processes are leased to one cell
 * after another. Beside it, one after another in the same run, what it costs to start three fixtures once.
 *
 * `deno run --allow-read=. --allow-env --allow-run harness/perf/lease.ts`
 */
import { childPids } from "../../core/mod.ts";
import { wireLane } from "../lanes/wire.ts";
import { runCells } from "../runner/run.ts";
import { cellOf } from "./scenario.ts";
import { print, spread, table } from "./stats.ts";

const ROUNDS = 3;
const CELLS = 100;
const JOBS = 8;

/** Measures, and prints a table. */
export async function leaseBench(): Promise<void> {
  const spec = await cellOf("healthy-desk", "wire");
  const runs: number[] = [];
  const starts: number[] = [];
  let most = 0;
  for (let round = 0; round < ROUNDS; round++) {
    starts.push(await startOnce(spec.crew.servers));
    const begun = performance.now();
    const results = await runCells(Array.from({ length: CELLS }, () => spec), {
      jobs: JOBS,
      openLane: () => wireLane(),
      onResult: () => most = Math.max(most, childPids().length),
    });
    runs.push(performance.now() - begun);
    const bad = results.find(({ scorecard: { outcome } }) => outcome !== "pass");
    if (bad !== undefined || results.length !== CELLS) throw new Error("a measured cell is not green");
  }
  const row = (name: string, samples: readonly number[]) => {
    const { min, median } = spread(samples);
    return [name, (min / 1000).toFixed(2), (median / 1000).toFixed(2)];
  };
  print(
    "wire lane: leased fixture processes, in seconds",
    table([
      ["", "min", "median"],
      row(`${CELLS} cells of three servers, ${JOBS} at once; each takes 0.5 s by its script`, runs),
      row("three fixtures started once, ready and ended", starts),
    ]),
    `at most ${most} processes at a time, where a process a server and cell would have been ${3 * CELLS} starts`,
  );
}

async function startOnce(servers: readonly string[]): Promise<number> {
  const begun = performance.now();
  await using lane = wireLane();
  const world = await lane.open({ servers, data: {}, faults: [], seed: "0", shuffle: false, observer: () => {} });
  await world.run(() => Promise.resolve());
  return performance.now() - begun;
}

if (import.meta.main) await leaseBench();
