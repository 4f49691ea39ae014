/** `bench list --runs`: the runs that are kept. */
import { clip, oneLine } from "../../core/text.ts";
import { keptIn, RUNS } from "../artefacts.ts";
import { type KeptRun, RunsFolder } from "../store/folder.ts";
import { readSpending } from "../models/spending.ts";
import { usedWords } from "../models/spent.ts";
import { EXIT, UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";

/** A run as `list --runs --json` shows it. */
interface Listed {
  readonly id: string;
  /** When it was begun: UTC, ISO 8601; `null` where the store cannot say. */
  readonly started: string | null;
  /** The command that began it. */
  readonly command: string | null;
  /** How many cells have ended. */
  readonly done: number | null;
  /** How many there are. */
  readonly cells: number | null;
  /** Outcome of its report; `unfinished`, `running` in another process, or `unreadable`. */
  readonly outcome: string;
  /** What its live models have used so far, which counts when it goes on; `null` where none was asked. */
  readonly used: string | null;
}

/** Tells it, and returns the exit code. */
export function tellRuns(json: boolean, io: CliIo): number {
  const runs = new RunsFolder(keptIn(io.runs ?? RUNS)).list();
  const rows = runs.map(listed);
  if (json) io.out(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) io.err("brownout: no runs are kept yet; bench run keeps each\n");
  else io.out(table(rows, Math.min(io.columns, 160)));
  const broken = runs.flatMap((run) => "error" in run && run.error.trouble !== "locked" ? [run.error] : []);
  for (const error of broken) io.err(`brownout: ${error.message}\n`);
  return broken.length === 0 ? EXIT.good : EXIT.usage;
}

function listed(run: KeptRun): Listed {
  if ("error" in run) {
    const outcome = run.error.trouble === "locked" ? "running" : "unreadable";
    return { id: run.id, started: null, command: null, done: null, cells: null, outcome, used: null };
  }
  const { id, started, command, done, plan: { cells }, outcome = "unfinished", spent } = run.state;
  return { id, started, command, done, cells, outcome, used: spent === undefined ? null : usedIn(spent) };
}

function usedIn(spent: readonly string[]): string {
  try {
    return usedWords(readSpending(spent));
  } catch (error) {
    if (error instanceof UsageError) return "unreadable";
    throw error;
  }
}

function table(rows: readonly Listed[], columns: number): string {
  const heads = ["run", "when (UTC)", "cells", "outcome", "what"];
  const lines = [
    heads,
    ...rows.map(({ id, started, command, done, cells, outcome }) => [
      id,
      started === null ? "-" : started.slice(0, 19).replace("T", " "),
      done === null ? "-" : `${done}/${cells}`,
      outcome,
      command === null ? "-" : oneLine(command),
    ]),
  ];
  const sizes = heads.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines.map((line) => {
    const [last = "", ...before] = line.toReversed();
    const lead = before.toReversed().map((text, i) => text.padEnd(sizes[i] ?? 0)).join("  ");
    return `${lead}  ${clip(last, Math.max(12, columns - lead.length - 2))}\n`;
  }).join("");
}
