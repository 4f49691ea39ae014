/** Reads files of plans. Every problem says where it is. */
import { basename, join } from "node:path/posix";
import { type Problem, type Result, type Source } from "../scenario/mod.ts";
import { check } from "../scenario/issues.ts";
import { tidy } from "../scenario/problem.ts";
import { parseSource, readSource } from "../scenario/source.ts";
import { CaseFile } from "./case_file.ts";
import { DagRow } from "./dag_file.ts";

/** A larger `.jsonl` file is not read. In bytes. */
export const MAX_JSONL_BYTES = 32 * 1024 * 1024;

/** What one file holds. */
export interface PlanFile {
  /** What people call it. */
  readonly file: string;
  /** Requests with replies. */
  readonly cases: readonly CaseFile[];
  /** Plans with a published optimum. */
  readonly dags: readonly DagRow[];
}

/** Whether a file may hold plans. */
export const isPlanFile = (name: string): boolean => /^[^.].*\.(?:ya?ml|jsonl)$/.test(name);

/**
 * The files under a path, or the path itself if it is a file; sorted. None where there is nothing.
 *
 * @throws If a folder may not be read.
 */
export async function planFiles(path: string): Promise<string[]> {
  try {
    if (!(await Deno.stat(path)).isDirectory) return [path];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
    // Reading it will say what is wrong.
    return [path];
  }
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory && !/^\.|^node_modules$/.test(name)) found.push(...await planFiles(join(path, name)));
    else if (!isDirectory && isPlanFile(name)) found.push(join(path, name));
  }
  return found.sort();
}

/**
 * Reads a file: YAML with one request, or JSON Lines with a request or a plan in each line.
 *
 * @param path Where it is.
 * @param file What problems call it.
 */
export async function readPlanFile(path: string, file: string): Promise<Result<PlanFile>> {
  const fail = (message: string): Result<PlanFile> => ({
    ok: false,
    problems: [{ file, line: 1, column: 1, message }],
  });
  if (!isPlanFile(basename(path))) return fail("is neither .yaml nor .jsonl; plans are in files of these kinds");
  if (!path.endsWith(".jsonl")) {
    const read = await readSource(path, file);
    return read.ok ? gather(file, [rowOf(read.value, 0)]) : read;
  }
  let text: string;
  try {
    const { size } = await Deno.stat(path);
    if (size > MAX_JSONL_BYTES) return fail(`is too large: ${size} bytes, allowed are ${MAX_JSONL_BYTES}`);
    text = new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof TypeError) return fail("is not UTF-8; save it in that encoding");
    if (error instanceof Deno.errors.NotCapable) {
      return fail("may not be read from here; hand it over: bench plan - < FILE");
    }
    if (error instanceof Deno.errors.PermissionDenied) return fail("may not be read; see its permissions");
    return fail(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parseJsonl(text, file);
}

/** {@linkcode readPlanFile} for JSON Lines that are there already. */
export function parseJsonl(text: string, file: string): Result<PlanFile> {
  const rows = text.split("\n").flatMap((line, i): Result<Row>[] => {
    if (line.trim() === "") return [];
    try {
      JSON.parse(line);
    } catch {
      return [{
        ok: false,
        problems: [{ file, line: i + 1, column: 1, message: "is not JSON; each line holds one object" }],
      }];
    }
    // JSON is YAML, and only the YAML parser knows places and sees keys that are there twice.
    const read = parseSource(line, file);
    if (read.ok) return [rowOf(read.value, i)];
    return [{ ok: false, problems: read.problems.map((one) => moved(one, i)) }];
  });
  if (rows.length === 0) {
    return {
      ok: false,
      problems: [{ file, line: 1, column: 1, message: "is empty; each line holds a request or a plan" }],
    };
  }
  return gather(file, rows);
}

type Row = { readonly case: CaseFile } | { readonly dag: DagRow };

/** One row, at so many lines below the first. What has edges is a plan, anything else is meant for a request. */
function rowOf(source: Source, below: number): Result<Row> {
  const at = (...place: Parameters<Source["problem"]>) => moved(source.problem(...place), below);
  if (Object.hasOwn(source.value, "edges")) {
    const dag = check(DagRow, source.value, at);
    return "problems" in dag ? { ok: false, problems: dag.problems } : { ok: true, value: { dag: dag.value } };
  }
  const read = check(CaseFile, source.value, at);
  return "problems" in read ? { ok: false, problems: read.problems } : { ok: true, value: { case: read.value } };
}

function moved(problem: Problem, below: number): Problem {
  return { ...problem, line: problem.line + below };
}

function gather(file: string, rows: readonly Result<Row>[]): Result<PlanFile> {
  const problems = rows.flatMap((row) => row.ok ? [] : row.problems);
  if (problems.length > 0) return { ok: false, problems: tidy(problems) };
  const values = rows.flatMap((row) => row.ok ? [row.value] : []);
  return {
    ok: true,
    value: {
      file,
      cases: values.flatMap((row) => "case" in row ? [row.case] : []),
      dags: values.flatMap((row) => "dag" in row ? [row.dag] : []),
    },
  };
}
