/** The file of a recording: read whole, written line by line. */
import { readTape, type Tape } from "../../agents/models/cassette/tape.ts";
import { TapeWriter } from "../../agents/models/cassette/record.ts";
import { oneLine } from "../../core/mod.ts";
import { UsageError } from "../cli/exit.ts";

/**
 * Reads a recording.
 *
 * @throws {UsageError} If it cannot be read, or is none.
 */
export async function loadTape(path: string): Promise<Tape> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    throw new UsageError(`--replay ${path} ${reasonOf(error)}`);
  }
  try {
    return readTape(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${path}: ${oneLine(error.message)}`);
  }
}

/** A recording that is being written. */
export interface TapeFile extends Disposable {
  /** Writes it. */
  readonly writer: TapeWriter;
}

/**
 * Opens a recording for writing: a new file, or one that goes on. What a kill has cut off at its end is taken away first.
 *
 * Whoever has it open has it alone, by a lock of the system's (`flock`, `LockFileEx`): two runs would each write at its own
 * place, over the other's lines. Such a lock goes with its process, however that ends, so that there is none of a dead one
 * that somebody would have to take over, and no number of a process that might be another's by now.
 *
 * @param keys Keys that may be in no line.
 * @throws {UsageError} If it may not be written, or what is there is something else.
 */
export async function openTape(path: string, keys: readonly string[]): Promise<TapeFile> {
  if ((await Deno.permissions.query({ name: "write", path })).state !== "granted") {
    throw new UsageError(`--record ${path} may not be written: write below where you stand, or in /tmp`);
  }
  const file = await locked(path);
  try {
    // Only now: what is at the end of somebody else's may be a line that is being written.
    const before = await existing(path);
    const parts = before === undefined ? {} : { parts: before.tape.parts.keys() };
    await file.truncate(before?.bytes ?? 0);
    await file.seek(0, Deno.SeekMode.End);
    const writer = new TapeWriter(wholeLines(file, before?.bytes ?? 0), { keys, ...parts });
    return { writer, [Symbol.dispose]: () => file.close() };
  } catch (error) {
    file.close();
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--record ${path} ${reasonOf(error)}`);
  }
}

async function locked(path: string): Promise<Deno.FsFile> {
  let file: Deno.FsFile | undefined;
  try {
    // Nothing of it is touched yet.
    file = await Deno.open(path, { read: true, write: true, create: true });
    // Whoever reads a pipe to its end while writing to it waits for ever.
    if (!(await file.stat()).isFile) throw new Error("it is no file that can be written line by line and read again");
    if (await file.tryLock(true)) return file;
  } catch (error) {
    file?.close();
    throw new UsageError(`--record ${path} ${reasonOf(error)}`);
  }
  file.close();
  throw new UsageError(
    `--record ${path} is being recorded by another run; wait until that has ended, or give another file: none of it is lost`,
  );
}

/**
 * Writes lines of which each is there, or is not: what a full disk has cut off is taken away, so that the next one begins
 * a line.
 *
 * @param size How many bytes the file has.
 */
export function wholeLines(
  file: Pick<Deno.FsFile, "writeSync" | "truncateSync" | "seekSync">,
  size: number,
): (line: string) => void {
  const encoder = new TextEncoder();
  let whole = size;
  return (line) => {
    const bytes = encoder.encode(line);
    try {
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
      whole += bytes.length;
    } catch (error) {
      file.truncateSync(whole);
      file.seekSync(whole, Deno.SeekMode.Start);
      throw error;
    }
  };
}

/** What is in the file already, and how many bytes of it are whole lines. Nothing for no file, or an empty one. */
async function existing(path: string): Promise<{ readonly tape: Tape; readonly bytes: number } | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new UsageError(`--record ${path} ${reasonOf(error)}`);
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole === "") {
    if (text === "") return undefined;
    throw new UsageError(`--record ${path} is there, and is no recording; give another file`);
  }
  try {
    return { tape: readTape(whole), bytes: new TextEncoder().encode(whole).length };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `--record ${path} is there, and is no recording (${oneLine(error.message)}); give another file`,
    );
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "is not there";
  if (error instanceof Deno.errors.NotCapable) return "may not be read; give a file below where you stand, or in /tmp";
  return `cannot be used: ${oneLine(error instanceof Error ? error.message : String(error))}`;
}
