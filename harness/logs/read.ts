/** Reads logs that may come from anybody. Every problem says in which line it is. */
import { canonicalJson, clip, oneLine } from "../../core/mod.ts";
import { CALL_KEYS, LogRow, ROW_KEYS } from "./format.ts";

/** A run with its place. */
export interface LogRun extends LogRow {
  /** Its name: that of the log, or its line. */
  readonly id: string;
  /** Number of its line, from 1. */
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

/**
 * Reads a log: JSON Lines, one run each. A key that the format does not have is no error, for the log is somebody else's,
 * but it is told.
 */
export function readLog(text: string): ReadLog {
  const [runs, problems, ids]: [LogRun[], string[], Map<string, number>] = [[], [], new Map()];
  const ignored = new Map<string, number>();
  let line = 0;
  for (const written of linesOf(text)) {
    line++;
    if (written.trim() === "") continue;
    const found = readRow(written, line, ids, ignored);
    if (typeof found !== "string") runs.push(found);
    else if (problems.push(`line ${line}: ${found}`) >= MAX_PROBLEMS) {
      problems.push(`after ${MAX_PROBLEMS} problems the rest was not read`);
      break;
    }
  }
  return { runs, problems, ignored };
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

function readRow(
  written: string,
  line: number,
  ids: Map<string, number>,
  ignored: Map<string, number>,
): LogRun | string {
  let value: unknown;
  try {
    value = JSON.parse(written);
    // Bounds the depth, so that nothing that comes later runs out of stack.
    canonicalJson(value);
  } catch (error) {
    return error instanceof SyntaxError
      ? "is not JSON; each line holds one run"
      : `is not read: ${oneLine(error instanceof Error ? error.message : String(error))}`;
  }
  const parsed = LogRow.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") ?? "";
    return clip(oneLine(`${path === "" ? "" : `${path}: `}${issue?.message ?? "is no run"}`), 300);
  }
  const run = { ...parsed.data, id: parsed.data.id ?? `line ${line}`, line };
  if (run.results !== undefined && run.results.length !== run.calls.length) {
    return `results: has ${run.results.length} for ${run.calls.length} calls; give one for each, null where there is none`;
  }
  const before = ids.get(run.id);
  if (before !== undefined) return `id: "${clip(oneLine(run.id), 80)}" is that of line ${before}, too`;
  ids.set(run.id, line);
  tellIgnored(value, ignored);
  return run;
}

function tellIgnored(value: unknown, ignored: Map<string, number>): void {
  const tell = (of: unknown, known: ReadonlySet<string>, prefix: string) => {
    if (typeof of !== "object" || of === null) return;
    for (const key of Object.keys(of)) {
      if (known.has(key) || ignored.size > 50) continue;
      const name = `${prefix}${clip(key, 60)}`;
      ignored.set(name, (ignored.get(name) ?? 0) + 1);
    }
  };
  tell(value, ROW_KEYS, "");
  const calls: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "calls") : undefined;
  if (Array.isArray(calls)) { for (const call of calls) tell(call, CALL_KEYS, "calls."); }
}
