/** Reads logs that may come from anybody. Every problem says in which line it is. */
import * as z from "zod";
import { canonicalJson, clip, oneLine } from "../../core/mod.ts";
import { CALL_KEYS, LogRow, ROW_KEYS } from "./format.ts";
import { runOfTranscript, TRANSCRIPT_KEYS, TranscriptRow } from "./transcript.ts";

/** A run with its place. */
export interface LogRun extends LogRow {
  /** Its name: that of the log, or its line. */
  readonly id: string;
  /** Number of its line, from 1; in a file that is one JSON value, its number in there. */
  readonly line: number;
}

/** What was read of a file. */
export interface ReadLog {
  /** Every run, in order; none that has a problem. */
  readonly runs: readonly LogRun[];
  /** What is wrong, as `line 3: calls.0.name: …`. */
  readonly problems: readonly string[];
  /** Keys that nobody reads, with how often they occur: perhaps misspelt. */
  readonly ignored: ReadonlyMap<string, number>;
}

/** More problems than a person would read. */
const MAX_PROBLEMS = 20;

/** A row as it was found. */
interface Found {
  /** What people call its place. */
  readonly place: string;
  readonly line: number;
  /** The row, or what is wrong with it. */
  readonly row: { readonly value: unknown } | { readonly problem: string };
}

/**
 * Reads a log: JSON Lines, one run or chat each; or one JSON value, a run, a chat, or a list of either. A key that the
 * format does not have is no error, for the log is somebody else's, but it is told.
 */
export function readLog(text: string): ReadLog {
  const [runs, problems, ids]: [LogRun[], string[], Map<string, number>] = [[], [], new Map()];
  const ignored = new Map<string, number>();
  for (const { place, line, row } of rowsOf(text)) {
    const found = "problem" in row ? row.problem : runIn(row.value, `${place}`, line, ids, ignored);
    if (typeof found !== "string") runs.push(found);
    else if (problems.push(`${place}: ${found}`) >= MAX_PROBLEMS) {
      problems.push(`after ${MAX_PROBLEMS} problems the rest was not read`);
      break;
    }
  }
  return { runs, problems, ignored };
}

function* rowsOf(text: string): Generator<Found> {
  let line = 0;
  for (const written of linesOf(text)) {
    line++;
    if (written.trim() === "") continue;
    const row = parsed(written);
    // The first line of a file that is written over many is no value by itself.
    if ("problem" in row && /^[[{]/.test(written.trimStart())) {
      const whole = line === 1 || text.slice(0, text.indexOf(written)).trim() === ""
        ? parsed(text.replace(/^\ufeff/, ""))
        : row;
      if ("value" in whole) return yield* itemsOf(whole.value);
    }
    yield { place: `line ${line}`, line, row };
  }
}

/** What a file that is one value holds. A list of messages is one chat. */
function* itemsOf(value: unknown): Generator<Found> {
  const items: readonly unknown[] = Array.isArray(value) && !isChat(value) ? value : [value];
  for (const [i, item] of items.entries()) yield { place: `item ${i + 1}`, line: i + 1, row: { value: item } };
}

/** Lines one by one: a file of 100 MB is not held twice. */
function* linesOf(text: string): Generator<string> {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  for (let from = start; from < text.length;) {
    const end = text.indexOf("\n", from);
    yield text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
  }
}

function parsed(written: string): Found["row"] {
  try {
    const value: unknown = JSON.parse(written);
    // Bounds the depth, so that nothing that comes later runs out of stack.
    canonicalJson(value);
    return { value };
  } catch (error) {
    return {
      problem: error instanceof SyntaxError
        ? "is not JSON; each line holds one run"
        : `is not read: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    };
  }
}

/** A list of messages, as a chat is kept: each has a role, or is of a kind. */
function isChat(value: readonly unknown[]): boolean {
  const [first] = value;
  return typeof first === "object" && first !== null && !Object.hasOwn(first, "messages") &&
    !Object.hasOwn(first, "calls") && (Object.hasOwn(first, "role") || Object.hasOwn(first, "type"));
}

function runIn(
  value: unknown,
  place: string,
  line: number,
  ids: Map<string, number>,
  ignored: Map<string, number>,
): LogRun | string {
  const row = Array.isArray(value) && isChat(value) ? { messages: value } : value;
  const isTranscript = typeof row === "object" && row !== null && Object.hasOwn(row, "messages") &&
    !Object.hasOwn(row, "calls");
  const read = isTranscript ? transcriptIn(row) : checked(LogRow, row);
  if (typeof read === "string") return read;
  const run = { ...read, id: read.id ?? place, line };
  if (run.results !== undefined && run.results.length !== run.calls.length) {
    return `results: has ${run.results.length} for ${run.calls.length} calls; give one for each, null where there is none`;
  }
  const before = ids.get(run.id);
  if (before !== undefined) return `id: "${clip(oneLine(run.id), 80)}" is that of line ${before}, too`;
  ids.set(run.id, line);
  tellIgnored(row, isTranscript ? TRANSCRIPT_KEYS : ROW_KEYS, ignored);
  return run;
}

function transcriptIn(row: unknown): LogRow | string {
  const read = checked(TranscriptRow, row);
  const run = typeof read === "string" ? read : runOfTranscript(read);
  return typeof run === "string" ? clip(oneLine(run), 300) : run;
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T | string {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  return clip(oneLine(`${path === "" ? "" : `${path}: `}${issue?.message ?? "is no run"}`), 300);
}

function tellIgnored(value: unknown, keys: ReadonlySet<string>, ignored: Map<string, number>): void {
  const tell = (of: unknown, known: ReadonlySet<string>, prefix: string) => {
    if (typeof of !== "object" || of === null) return;
    for (const key of Object.keys(of)) {
      if (known.has(key) || ignored.size > 50) continue;
      const name = `${prefix}${clip(key, 60)}`;
      ignored.set(name, (ignored.get(name) ?? 0) + 1);
    }
  };
  tell(value, keys, "");
  const calls: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "calls") : undefined;
  if (Array.isArray(calls)) { for (const call of calls) tell(call, CALL_KEYS, "calls."); }
}
