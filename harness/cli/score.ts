/** `bench score`: judges somebody else's log, or scores traces of the bench again. */
import { extname, join, resolve } from "node:path/posix";
import { clip, oneLine } from "../../core/mod.ts";
import { checkTargets, writeWhole } from "../artefacts.ts";
import { MAX_LOG_BYTES } from "../logs/format.ts";
import { logMarkdown } from "../logs/markdown.ts";
import { readLog } from "../logs/read.ts";
import { type LogReport, scoreLog } from "../logs/report.ts";
import { logScreen } from "../logs/terminal.ts";
import { renderJson, sortedJson } from "../report/json.ts";
import { draw } from "../report/layout.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { makeReport } from "../report/report.ts";
import { renderTerminal } from "../report/terminal.ts";
import { exitCode } from "../run_command.ts";
import type { CellResult } from "../runner/run.ts";
import { NothingSelected } from "../scenario/mod.ts";
import { scoreTrace } from "../score/score.ts";
import { cellId } from "../trace/event.ts";
import { readTrace } from "../trace/read.ts";
import { EXIT, UsageError } from "./exit.ts";
import { type CliIo, wantsColour } from "./io.ts";

/** A log, or one trace, from the standard input. */
const STDIN = "-";

/** Options as the command line has them. */
export interface ScoreFlags {
  /** `--json`. */
  readonly json?: true;
  /** `--output`. */
  readonly output?: string;
}

/** A file that was read. */
interface Read {
  readonly name: string;
  readonly text: string;
}

/** See {@linkcode CommandModule}. */
export async function execute(operands: readonly string[], flags: ScoreFlags, io: CliIo): Promise<number> {
  const output = flags.output === undefined ? undefined : outputOf(flags.output, io);
  if (output !== undefined) await checkTargets({ output });
  const paths = new Map<string, string>();
  for (const operand of operands) for (const [path, name] of await find(operand, io)) paths.set(path, name);
  const files = await Promise.all([...paths].map(([path, name]) => readFile(path, name)));
  const traces = files.filter(({ text }) => isTrace(text));
  if (traces.length === files.length) return await scoreTraces(traces, flags, output, io);
  const [log, ...more] = files.filter(({ text }) => !isTrace(text));
  if (log === undefined || more.length > 0 || traces.length > 0) {
    throw new UsageError(
      `${files.length} files are given, and not all of them are traces of the bench; give one log, or traces alone`,
    );
  }
  return await scoreOneLog(log, flags, output, io);
}

async function scoreOneLog({ name, text }: Read, { json }: ScoreFlags, output: string | undefined, io: CliIo) {
  const read = readLog(text);
  if (read.problems.length > 0) {
    for (const problem of read.problems) io.err(`${shown(name)}: ${problem}\n`);
    return EXIT.usage;
  }
  if (read.runs.length === 0) {
    throw new NothingSelected(name, `${shown(name)} has no runs; each line holds one, as JSON`);
  }
  for (const [key, times] of read.ignored) {
    io.err(
      `brownout: ${shown(name)}: nobody reads the key "${oneLine(key)}" (${times} times); see harness/logs/README.md\n`,
    );
  }
  const report: LogReport = scoreLog(read);
  if (output !== undefined) await writeWhole(output, output.endsWith(".md") ? logMarkdown(report) : sortedJson(report));
  const screen = { columns: Math.min(Math.max(io.columns, 60), 100), colour: wantsColour(io) };
  io.out(
    json ? sortedJson(report) : logScreen(report, screen.columns).map((line) => `${draw(line, screen)}\n`).join(""),
  );
  if (output !== undefined) io.err(`report: ${output}\n`);
  return report.summary.flagged > 0 || report.summary.unanswered > 0 ? EXIT.failed : EXIT.good;
}

async function scoreTraces(files: readonly Read[], { json }: ScoreFlags, output: string | undefined, io: CliIo) {
  const results: CellResult[] = [];
  const seen = new Map<string, string>();
  let isBad = false;
  for (const { name, text } of files) {
    const result = rescored(text);
    const problem = typeof result === "string" ? result : twice(result, name, seen);
    if (problem !== undefined) {
      io.err(`${shown(name)}: ${problem}\n`);
      isBad = true;
    } else if (typeof result !== "string") results.push(result);
  }
  if (isBad) return EXIT.usage;
  const report = makeReport(results);
  if (output !== undefined) {
    await writeWhole(output, output.endsWith(".md") ? renderMarkdown(report) : renderJson(report));
  }
  io.out(
    json ? renderJson(report) : renderTerminal(report, results, {
      columns: io.columns,
      colour: wantsColour(io),
      timeline: "auto",
      files: output === undefined ? [] : [{ label: "report", path: output }],
    }),
  );
  return exitCode(report);
}

/** A trace's result, or what is wrong with it. Whoever made the file is not trusted: its details may be anything. */
function rescored(text: string): CellResult | string {
  try {
    const trace = readTrace(text);
    return { trace, scorecard: scoreTrace(trace) };
  } catch (error) {
    return clip(oneLine(`cannot be scored: ${error instanceof Error ? error.message : String(error)}`), 400);
  }
}

function twice({ trace }: CellResult, name: string, seen: Map<string, string>): string | undefined {
  const id = cellId(trace.cell);
  const before = seen.get(id);
  seen.set(id, name);
  return before === undefined ? undefined : `is the same cell as ${shown(before)}: ${oneLine(id)}`;
}

/** Only the bench's own files say which version of its format they have, and in which cell. */
function isTrace(text: string): boolean {
  const head = text.slice(0, text.indexOf("\n") < 0 ? undefined : text.indexOf("\n"));
  try {
    const value: unknown = JSON.parse(head);
    return typeof value === "object" && value !== null && Object.hasOwn(value, "schema") &&
      Object.hasOwn(value, "cell");
  } catch {
    return false;
  }
}

/** Paths with what people call them: a file, or every `.jsonl` in a folder. */
async function find(operand: string, io: CliIo): Promise<[string, string][]> {
  if (operand === STDIN) return [[STDIN, "stdin"]];
  const path = resolve(io.cwd, operand);
  try {
    if (!(await Deno.stat(path)).isDirectory) return [[path, operand]];
    const names: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      if (!isDirectory && extname(name) === ".jsonl" && !name.startsWith(".")) names.push(name);
    }
    if (names.length > 0) return names.sort().map((name) => [join(path, name), name]);
  } catch (error) {
    throw new UsageError(`${shown(operand)} ${reasonOf(error)}`);
  }
  throw new NothingSelected(operand, `${shown(operand)} has no .jsonl file in it`);
}

async function readFile(path: string, name: string): Promise<Read> {
  try {
    if (path !== STDIN) checkSize(name, (await Deno.stat(path)).size);
    const bytes = path === STDIN ? await stdinBytes(name) : await Deno.readFile(path);
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${shown(name)} ${reasonOf(error)}`);
  }
}

function checkSize(name: string, size: number): void {
  if (size <= MAX_LOG_BYTES) return;
  throw new UsageError(`${shown(name)} is too large: ${size} bytes, allowed are ${MAX_LOG_BYTES}; split it by lines`);
}

/** Reads the standard input, and no more of it than a log may have. */
async function stdinBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of Deno.stdin.readable) {
    checkSize(name, size += chunk.byteLength);
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return "is not there";
  if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) {
    return "may not be read";
  }
  if (error instanceof TypeError) return "is not UTF-8; save it in that encoding";
  return `cannot be read: ${oneLine(error instanceof Error ? error.message : String(error))}`;
}

function outputOf(given: string, io: CliIo): string {
  if (extname(given) === ".json" || extname(given) === ".md") return resolve(io.cwd, given);
  throw new UsageError(`--output ${shown(given)}: the extension tells the format; allowed: .json, .md`);
}

const shown = (text: string): string => `"${clip(oneLine(text), 120)}"`;
