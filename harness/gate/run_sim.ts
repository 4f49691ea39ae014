/** Runs cells in `sim` and shows how far it is. */
import { reference, type Subject } from "../../agents/mod.ts";
import { oneLine } from "../../core/mod.ts";
import { EXIT } from "../cli/exit.ts";
import type { CliIo } from "../cli/io.ts";
import { simLane } from "../lanes/sim.ts";
import { progressEntry, progressLine } from "../report/progress.ts";
import type { CellSpec } from "../runner/cell.ts";
import { type CellResult, runCells } from "../runner/run.ts";
import { type Outcome, tally } from "../score/check.ts";
import { cellId } from "../trace/event.ts";
import { cellsFor, type Selection } from "./selection.ts";

/** What came of it. */
interface SimRun {
  /** In the order of the cells. */
  readonly results: readonly CellResult[];
  /** What ran on after its cell had ended, and failed. */
  readonly strays: readonly string[];
}

/** Runs cells. On a terminal stderr has a line that is written over, elsewhere only what is not green of the reference. */
async function runSim(specs: readonly CellSpec[], jobs: number, io: CliIo): Promise<SimRun> {
  const outcomes: Outcome[] = [];
  const strays: string[] = [];
  const onStray = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    strays.push(oneLine(String(event.reason)));
  };
  globalThis.addEventListener("unhandledrejection", onStray);
  try {
    const results = await runCells(specs, {
      jobs,
      openLane: () => simLane(),
      signal: io.signal,
      onResult: ({ trace, scorecard: { outcome } }) => {
        outcomes.push(outcome);
        const { length } = outcomes;
        if (io.isTerminal) io.err(`\r${progressLine(length, specs.length, tally(outcomes), io.columns - 1)}`);
        // Of others it is no news that something is red; what is not expected of it is told at the end.
        else if (outcome !== "pass" && trace.cell.subject === reference.name) {
          io.err(`${progressEntry(length, specs.length, { id: cellId(trace.cell), outcome }, io.columns)}\n`);
        }
      },
    });
    return { results, strays };
  } finally {
    if (io.isTerminal) io.err(`\r${" ".repeat(io.columns - 1)}\r`);
    globalThis.removeEventListener("unhandledrejection", onStray);
  }
}

/**
 * Runs a subject's cells.
 *
 * @returns The results, or an exit code where there is nothing to be made of them.
 */
export async function runSubject(
  subject: Subject,
  selection: Pick<Selection, "scenarios">,
  jobs: number,
  io: CliIo,
): Promise<readonly CellResult[] | number> {
  const specs = cellsFor(subject, selection.scenarios);
  const { results, strays } = await runSim(specs, jobs, io);
  if (io.signal.aborted) {
    io.err(`brownout: interrupted after ${results.length} of ${specs.length} cells; nothing was compared\n`);
    return EXIT.interrupted;
  }
  for (const stray of strays) io.err(`brownout: something ran on after its cell had ended, and failed: ${stray}\n`);
  return strays.length > 0 ? EXIT.internal : results;
}
