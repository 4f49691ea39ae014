/** The files that a run leaves: its report and its traces, each written whole or not at all. */
import { dirname, join, resolve } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { UsageError } from "./cli/exit.ts";
import type { RunOptions } from "./cli/options.ts";
import { type Renderer, rendererOf } from "./report/render.ts";
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
  if (output !== undefined) {
    const kind = await kindOf(output);
    if (kind === "folder") throw new UsageError(`--output ${output} is a folder`);
    // A file would be put in its place, and who waits at it would wait on.
    if (kind === "other") throw new UsageError(`--output ${output} is a pipe or a device; give a file, or use --json`);
  }
  if (output !== undefined) await rendererOf(output);
  if (trace !== undefined && ["file", "other"].includes(await kindOf(trace))) {
    throw new UsageError(`--trace ${trace} is a file`);
  }
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
    const target = await targetOf(path);
    const attempt = `${target}.${Deno.pid}.try`;
    await Deno.writeTextFile(attempt, "");
    // Somebody else may be trying the same.
    await Deno.remove(attempt).catch(() => {});
  } catch (error) {
    throw new UsageError(`${called} cannot be written: ${reason(error)}; nothing was run`);
  }
}

/** The files of one report. What is wanted twice in one form is made once: the other is a copy of what was written. */
export class ReportFiles implements Disposable {
  readonly #report: RunReport;
  /** What was written in each form, open: whatever becomes of its place, this is what was made. */
  readonly #made = new Map<Renderer, Deno.FsFile>();

  /** Takes the report. Nothing is written yet. */
  constructor(report: RunReport) {
    this.#report = report;
  }

  /**
   * Writes the report where it is wanted, in the form of the file's extension.
   *
   * @throws {UsageError} If it cannot be written; what was there before is then still there.
   */
  async write(path: string): Promise<void> {
    const render = await rendererOf(path);
    const made = this.#made.get(render);
    if (made !== undefined) return await putWhole(path, WRITE, (file) => copy(made, file));
    const text = render(this.#report);
    let file: Deno.FsFile | undefined;
    try {
      await putWhole(path, { ...WRITE, read: true }, async (opened) => {
        file = opened;
        await writeChunks(opened, typeof text === "string" ? [text] : text);
      }, false);
    } catch (error) {
      file?.close();
      throw error;
    }
    if (file !== undefined) this.#made.set(render, file);
  }

  /**
   * Writes the report into a folder of the run's own, which becomes the latest as a whole: runs may overlap.
   *
   * @param own The folder; there is none afterwards.
   * @param latest The last run to end, whole.
   * @throws {UsageError} If something cannot be written; the latest is then what it was.
   */
  async publish(own: string, latest: string): Promise<void> {
    await this.write(join(own, "report.json"));
    await replace(own, latest);
  }

  /** Closes what is open. */
  [Symbol.dispose](): void {
    for (const file of this.#made.values()) file.close();
    this.#made.clear();
  }
}

/**
 * Writes a file whole or not at all; through a link, to where it points.
 *
 * @throws {UsageError} If it cannot be written; what was there before is then still there.
 */
export async function writeWhole(path: string, text: string | Iterable<string>): Promise<void> {
  await putWhole(path, WRITE, (file) => writeChunks(file, typeof text === "string" ? [text] : text));
}

const WRITE = { write: true, create: true, truncate: true } as const;

/**
 * Fills a file, and puts it in its place when that has gone well.
 *
 * @param close Whether it is closed then.
 */
async function putWhole(
  path: string,
  options: Deno.OpenOptions,
  fill: (file: Deno.FsFile) => Promise<void>,
  close = true,
): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    const target = await targetOf(path);
    const unfinished = `${target}.${Deno.pid}.tmp`;
    try {
      const file = await Deno.open(unfinished, options);
      try {
        await fill(file);
      } finally {
        if (close) file.close();
      }
      await Deno.rename(unfinished, target);
    } catch (error) {
      await Deno.remove(unfinished).catch(() => {});
      throw error;
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reason(error)}`);
  }
}

/** So much is gathered before it is written, in bytes. */
const GATHERED = 1 << 18;

async function writeChunks(file: Deno.FsFile, chunks: Iterable<string>): Promise<void> {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(GATHERED);
  let filled = 0;
  for (const chunk of chunks) {
    for (let left = chunk; left !== "";) {
      const { read, written } = encoder.encodeInto(left, bytes.subarray(filled));
      filled += written;
      left = left.slice(read);
      if (left === "") break;
      await writeAll(file, bytes.subarray(0, filled));
      filled = 0;
    }
  }
  await writeAll(file, bytes.subarray(0, filled));
}

async function copy(from: Deno.FsFile, to: Deno.FsFile): Promise<void> {
  await from.seek(0, Deno.SeekMode.Start);
  const bytes = new Uint8Array(GATHERED);
  for (let read = await from.read(bytes); read !== null; read = await from.read(bytes)) {
    await writeAll(to, bytes.subarray(0, read));
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
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

async function kindOf(path: string): Promise<"file" | "folder" | "other" | "nothing"> {
  try {
    const { isDirectory, isFile } = await Deno.stat(path);
    return isDirectory ? "folder" : isFile ? "file" : "other";
  } catch {
    return "nothing";
  }
}

/** Most links from one to the next that are followed, as on Linux. */
const MAX_LINKS = 40;

/** Where a file is, or will be: through links, those that point to nothing yet included. */
async function targetOf(path: string, links = MAX_LINKS): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    const next = links === 0 ? undefined : await Deno.readLink(path).catch(() => undefined);
    return next === undefined ? path : await targetOf(resolve(dirname(path), next), links - 1);
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
