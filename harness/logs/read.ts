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
  let [line, seen] = [0, false];
  for (const written of linesOf(text)) {
    line++;
    if (written.trim() === "") continue;
    const row = parsed(written);
    const isFirst = !seen;
    seen = true;
    // The first line of a file that is written over many is no value by itself.
    if (isFirst && "problem" in row && /^[[{]/.test(written.trimStart())) {
      const bare = text.replace(/^\ufeff/, "");
      const whole = parsed(bare);
      if ("value" in whole) return yield* itemsOf(whole.value);
      const broken = isOneValue(bare) ? breakOf(bare) : undefined;
      if (broken !== undefined) return yield broken;
    }
    if (isFirst && "value" in row && Array.isArray(row.value) && !isChat(row.value) && text.trim() === written.trim()) {
      return yield* itemsOf(row.value);
    }
    yield { place: `line ${line}`, line, row };
  }
}

/** Whether a file was to be one value over many lines, or a list: no other line begins a value at its margin, or a list is opened. */
function isOneValue(text: string): boolean {
  const [first = "", ...more] = text.slice(0, 100_000).split("\n").filter((line) => line.trim() !== "");
  if (more.some((line) => /^[[{]./.test(line))) return false;
  return /^\s*\[\s*(?:$|[[{])/.test(first) || (more.length > 0 && /^\s*\{/.test(first));
}

/** Where a value that goes over many lines is broken. */
function breakOf(text: string): Found | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) return undefined;
    const end = text.trimEnd();
    const told = /\bposition (\d+)/.exec(error.message)?.[1];
    const at = told === undefined ? end.length : Math.min(Number(told), end.length);
    const line = text.slice(0, at).split("\n").length;
    const what = at >= end.length ? "is cut off" : "is broken";
    return {
      place: `line ${line}`,
      line,
      row: {
        problem: `the file is one JSON value over several lines, and ${what} here; give all of it, or one run a line`,
      },
    };
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
  const api = responseOf(value);
  const row = Array.isArray(value) && isChat(value) ? { messages: value } : api ?? value;
  const isTranscript = typeof row === "object" && row !== null && Object.hasOwn(row, "messages") &&
    !Object.hasOwn(row, "calls");
  const read = isTranscript ? transcriptIn(row) : checked(LogRow, row);
  if (typeof read === "string") {
    return api !== undefined && read.includes("no user says anything")
      ? 'output: no user says anything; give the "input" beside it, or a "task"'
      : read;
  }
  const run = { ...read, id: read.id ?? place, line };
  if (run.results !== undefined && run.results.length !== run.calls.length) {
    return `results: has ${run.results.length} for ${run.calls.length} calls; give one for each, null where there is none`;
  }
  const before = ids.get(run.id);
  if (before !== undefined) return `id: "${clip(oneLine(run.id), 80)}" is that of line ${before}, too`;
  ids.set(run.id, line);
  // What an API keeps beside a chat is no misspelt key.
  if (api === undefined) tellIgnored(row, isTranscript ? TRANSCRIPT_KEYS : ROW_KEYS, ignored);
  return run;
}

/** A call of OpenAI's responses as an API or a client logs it: `input`, a text or items, and the items of `output`. */
function responseOf(value: unknown): object | undefined {
  if (
    typeof value !== "object" || value === null || Object.hasOwn(value, "messages") || Object.hasOwn(value, "calls")
  ) {
    return undefined;
  }
  const { input, output }: { input?: unknown; output?: unknown } = value;
  if (!Array.isArray(output)) return undefined;
  const asked: unknown[] = typeof input === "string"
    ? [{ role: "user", content: input }]
    : Array.isArray(input)
    ? input
    : [];
  return { ...value, messages: [...asked, ...output] };
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
  return clip(oneLine(`${path === "" ? "" : `${path}: `}${sayingOf(issue)}`), 300);
}

/** What is wrong, as a sentence. */
function sayingOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "too_small" && issue.origin === "array") return `has no items; give ${issue.minimum} or more`;
  if (issue?.code === "too_small" && issue.origin === "string") return "is empty; give it some text";
  if (issue?.code === "too_big" && issue.origin === "array") return `has too many items; allowed are ${issue.maximum}`;
  if (issue?.code === "invalid_type" && /received undefined$/.test(issue.message) && issue.path.length > 0) {
    return `is missing; expected ${issue.expected}`;
  }
  return issue?.message ?? "is no run";
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
