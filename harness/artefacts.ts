/** The files that a run leaves: its report and its traces, each written whole or not at all. */
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { UsageError } from "./cli/exit.ts";
import type { RunOptions } from "./cli/options.ts";
import { jsonChunks } from "./report/json.ts";
import { rendererOf } from "./report/render.ts";
import type { RunReport } from "./report/report.ts";

/** Where a run leaves what it is not told to put elsewhere. Ignored by git. */
export const RUNS: string = join(fileURLToPath(new URL("../", import.meta.url)), "reports/runs");

/** Where runs are kept, a folder each, in a folder of runs. */
export function keptIn(runs: string): string {
  return join(runs, "kept");
}

/** A file or folder that was written. */
export interface Artefact {
  /** What it is. */
  readonly label: string;
  /** Where it is, absolute. */
  readonly path: string;
}

type Targets = Pick<RunOptions, "trace"> & {
  /** A file. */
  readonly output?: string;
};

/**
 * Finds out before a run whether its files can be written where they should. Folders that are missing on the way are made.
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
  if (output !== undefined) await tryToWrite(output);
  if (trace !== undefined) await tryToWrite(join(trace, "trace.jsonl"), trace);
}

/**
 * Finds out whether the system lets a file be written, by making one beside it, which is taken away again: what the rights
 * of the task do not tell is told by a folder that is read-only, another user's or none at all.
 *
 * @param called What people call it.
 * @throws {UsageError} If not.
 */
export async function tryToWrite(path: string, called: string = path): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    const target = await Deno.realPath(path).catch(() => path);
    const attempt = `${target}.${Deno.pid}.try`;
    await Deno.writeTextFile(attempt, "");
    // Somebody else may be trying the same.
    await Deno.remove(attempt).catch(() => {});
  } catch (error) {
    throw new UsageError(`${called} cannot be written: ${reason(error)}; nothing was run`);
  }
}

/**
 * Writes the report where it is wanted.
 *
 * @throws {UsageError} If it cannot be written; what was there before is then still there.
 */
export async function writeOutput(report: RunReport, output: string): Promise<void> {
  await writeWhole(output, (await rendererOf(output))(report));
}

/**
 * Writes the report into a folder of the run's own, which becomes the latest as a whole: runs may overlap.
 *
 * @param own The folder; there is none afterwards.
 * @param latest The last run to end, whole.
 * @throws {UsageError} If something cannot be written; the latest is then what it was.
 */
export async function publish(report: RunReport, own: string, latest: string): Promise<void> {
  await writeWhole(join(own, "report.json"), jsonChunks(report));
  await replace(own, latest);
}

/**
 * Writes a file whole or not at all; through a link, to where it points.
 *
 * @throws {UsageError} If it cannot be written; what was there before is then still there.
 */
export async function writeWhole(path: string, text: string | Iterable<string>): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    const target = await Deno.realPath(path).catch(() => path);
    const unfinished = `${target}.${Deno.pid}.tmp`;
    try {
      if (typeof text === "string") await Deno.writeTextFile(unfinished, text);
      else await writeChunks(unfinished, text);
      await Deno.rename(unfinished, target);
    } catch (error) {
      await Deno.remove(unfinished).catch(() => {});
      throw error;
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reason(error)}`);
  }
}

/** So much is gathered before it is written, in UTF-16 units. */
const CHUNK = 1 << 18;

async function writeChunks(path: string, chunks: Iterable<string>): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  const flush = async (text: string) => {
    const bytes = encoder.encode(text);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  };
  let text = "";
  for (const chunk of chunks) {
    text += chunk;
    if (text.length < CHUNK) continue;
    await flush(text);
    text = "";
  }
  await flush(text);
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
  if (error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotADirectory) {
    return "what should be a folder on its way is a file";
  }
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/: \w+ '.*$/s, "").replace(/ \(os error \d+\)/, "").toLowerCase();
}
