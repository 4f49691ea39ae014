/** The files that a run leaves: its report and its traces, each written whole or not at all. */
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { UsageError } from "./cli/exit.ts";
import type { RunOptions } from "./cli/options.ts";
import { renderJson } from "./report/json.ts";
import { rendererOf } from "./report/render.ts";
import type { RunReport } from "./report/report.ts";
import type { CellResult } from "./runner/run.ts";
import { cellId } from "./trace/event.ts";
import { writeTrace } from "./trace/jsonl.ts";

/** Where a run leaves what it is not told to put elsewhere. Ignored by git. */
const RUNS: string = join(fileURLToPath(new URL("../", import.meta.url)), "reports/runs");
/** The last run to end, whole. */
const LATEST: string = join(RUNS, "latest");

/** A file or folder that was written. */
export interface Artefact {
  /** What it is. */
  readonly label: string;
  /** Where it is, absolute. */
  readonly path: string;
}

type Targets = Pick<RunOptions, "output" | "trace">;

/**
 * Finds out before a run whether its files can be written where they should.
 *
 * @throws {UsageError} If not.
 */
export async function checkTargets({ output, trace }: Targets): Promise<void> {
  for (const path of [output, trace]) {
    if (path === undefined) continue;
    const { state } = await Deno.permissions.query({ name: "write", path });
    if (state !== "granted") {
      throw new UsageError(
        `${path} may not be written: write below where you stand, in reports/runs or in /tmp, or use --json > FILE`,
      );
    }
  }
  if (output !== undefined && await kindOf(output) === "folder") throw new UsageError(`--output ${output} is a folder`);
  if (output !== undefined) await rendererOf(output);
  if (trace !== undefined && await kindOf(trace) === "file") throw new UsageError(`--trace ${trace} is a file`);
}

/**
 * Writes the report, and one trace a cell.
 *
 * @throws {UsageError} If something cannot be written; what was there before is then still there.
 */
export async function writeArtefacts(
  report: RunReport,
  results: readonly CellResult[],
  { output, trace }: Targets,
): Promise<Artefact[]> {
  // Runs may overlap: each writes a folder of its own, which becomes the latest as a whole.
  const own = join(RUNS, `.unfinished-${Deno.pid}`);
  const traces = trace ?? join(own, "traces");
  try {
    for (const { trace } of results) {
      await writeWhole(join(traces, `${cellId(trace.cell).replaceAll("/", ".")}.jsonl`), writeTrace(trace));
    }
    await writeWhole(join(own, "report.json"), renderJson(report));
    if (output !== undefined) {
      await writeWhole(output, (await rendererOf(output))(report));
    }
    await replace(own, LATEST);
  } finally {
    await Deno.remove(own, { recursive: true }).catch(() => {});
  }
  return [
    { label: "report", path: output ?? join(LATEST, "report.json") },
    { label: "traces", path: trace ?? join(LATEST, "traces") },
  ];
}

/**
 * Writes a file whole or not at all; through a link, to where it points.
 *
 * @throws {UsageError} If it cannot be written; what was there before is then still there.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    const target = await Deno.realPath(path).catch(() => path);
    const unfinished = `${target}.${Deno.pid}.tmp`;
    try {
      await Deno.writeTextFile(unfinished, text);
      await Deno.rename(unfinished, target);
    } catch (error) {
      await Deno.remove(unfinished).catch(() => {});
      throw error;
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reason(error)}`);
  }
}

/** Puts a folder in another's place. Somebody else may be doing the same; the last one stays. */
async function replace(folder: string, place: string): Promise<void> {
  for (let attempt = 0;; attempt++) {
    const old = `${folder}-old-${attempt}`;
    await Deno.rename(place, old).catch(() => {});
    try {
      await Deno.rename(folder, place);
      return;
    } catch (error) {
      if (attempt === 20) throw new UsageError(`${place} cannot be written: ${reason(error)}`);
    } finally {
      await Deno.remove(old, { recursive: true }).catch(() => {});
    }
  }
}

async function kindOf(path: string): Promise<"file" | "folder" | "nothing"> {
  try {
    return (await Deno.stat(path)).isDirectory ? "folder" : "file";
  } catch {
    return "nothing";
  }
}

/** What the system says, without its call and its temporary names. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/: \w+ '.*$/s, "").replace(/ \(os error \d+\)/, "").toLowerCase();
}
