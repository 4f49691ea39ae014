/**
 * `deno task frameworks`: runs reference, animals and frameworks in the same scenarios and writes the table; with `--check`
 * runs the frameworks and holds them against it.
 *
 * @module
 */
import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { killChildren } from "../core/mod.ts";
import { writeWhole } from "../harness/artefacts.ts";
import { EXIT, UsageError } from "../harness/cli/exit.ts";
import { type CliIo, processIo } from "../harness/cli/io.ts";
import { compareExpected } from "../harness/gate/expected.ts";
import { tellChanges } from "../harness/gate/tell.ts";
import { wireLane } from "../harness/lanes/wire.ts";
import { progressEntry } from "../harness/report/progress.ts";
import { DEFAULT_SEED } from "../harness/runner/cell.ts";
import { type CellResult, runCells } from "../harness/runner/run.ts";
import { crewOf, formatProblem } from "../harness/scenario/mod.ts";
import { cellId } from "../harness/trace/event.ts";
import { writeTrace } from "../harness/trace/jsonl.ts";
import { readRows, type Row } from "./report/lists.ts";
import { renderMarkdown } from "./report/markdown.ts";
import { compareTables, makeTable, readTable } from "./report/table.ts";
import { versionsIn } from "./report/versions.ts";

const ROOT: string = fileURLToPath(new URL("../", import.meta.url));
const TABLE: string = join(ROOT, "reports/frameworks");
const TRACES: string = join(ROOT, "reports/runs/frameworks");
/** Few: in `wire` a worker whose deadline is 3 s must not wait for a core. */
const JOBS = 2;

/** Runs the command line, and returns the exit code. */
async function main(args: readonly string[], io: CliIo): Promise<number> {
  const unknown = args.find((one) => one !== "--check");
  if (unknown !== undefined) {
    io.err(`brownout: unknown word "${unknown}"; deno task frameworks takes --check and nothing else\n`);
    return EXIT.usage;
  }
  const isCheck = args.length > 0;
  const { rows, problems } = await readRows();
  if (problems.length > 0) {
    for (const problem of problems) io.err(`${formatProblem(problem)}\n`);
    return EXIT.usage;
  }
  const chosen = isCheck ? rows.filter(({ entry }) => entry.kind === "framework") : rows;
  const results = await runRows(chosen, io);
  if (io.signal.aborted) return EXIT.interrupted;
  const table = makeTable(results, versionsIn(await Deno.readTextFile(join(ROOT, "frameworks/deno.lock"))));
  // Traces of cells that are not in the table any more would back nothing.
  if (!isCheck) await Deno.remove(TRACES, { recursive: true }).catch(() => {});
  for (const { trace } of results) {
    await writeWhole(join(TRACES, `${cellId(trace.cell).replaceAll("/", ".")}.jsonl`), writeTrace(trace));
  }
  const surprises = unexpected(chosen, results);
  io.out(surprises);
  if (!isCheck) {
    await writeWhole(`${TABLE}.json`, `${JSON.stringify(table, null, 2)}\n`);
    await writeWhole(`${TABLE}.md`, renderMarkdown(table));
    io.err(`${results.length} cells; written: reports/frameworks.md, reports/frameworks.json\n`);
    return surprises === "" ? EXIT.good : EXIT.failed;
  }
  const differences = compareTables(readTable(await Deno.readTextFile(`${TABLE}.json`)), table);
  for (const one of differences) io.out(`${one}\n`);
  if (differences.length > 0) io.err("brownout: deno task frameworks writes the table anew, if this is meant\n");
  else io.err(`${results.length} cells: all as reports/frameworks.json says\n`);
  return surprises === "" && differences.length === 0 ? EXIT.good : EXIT.failed;
}

async function runRows(rows: readonly Row[], io: CliIo): Promise<CellResult[]> {
  const specs = [];
  for (const { entry, scenarios } of rows) {
    const subject = await entry.load();
    for (const scenario of scenarios) {
      const { name, variant } = scenario;
      const cell = { scenario: name, variant, lane: "wire", subject: entry.name, model: "scripted" } as const;
      specs.push({ cell: { ...cell, seed: DEFAULT_SEED, repeat: 1 }, scenario, crew: crewOf(scenario), subject });
    }
  }
  // An adapter that crashed may leave work behind that fails later; the cell has been told by then.
  const onStray = (event: PromiseRejectionEvent) => event.preventDefault();
  globalThis.addEventListener("unhandledrejection", onStray);
  let done = 0;
  try {
    return await runCells(specs, {
      jobs: JOBS,
      openLane: wireLane,
      signal: io.signal,
      onResult: ({ trace, scorecard: { outcome } }) =>
        io.err(`${progressEntry(++done, specs.length, { id: cellId(trace.cell), outcome }, io.columns)}\n`),
    });
  } finally {
    killChildren();
    globalThis.removeEventListener("unhandledrejection", onStray);
  }
}

/** What a framework gets wrong that its file does not expect, or right that it does; and all that the reference gets wrong. */
function unexpected(rows: readonly Row[], results: readonly CellResult[]): string {
  const held = rows.filter(({ entry }) => entry.kind !== "zoo");
  return held.map(({ entry: { name }, expected }) => {
    const own = results.filter(({ trace }) => trace.cell.subject === name);
    const { changes, problems } = compareExpected(name, expected, own, true);
    return problems.map((one) => `${formatProblem(one)}\n`).join("") + tellChanges(changes);
  }).join("");
}

const io = processIo();
try {
  Deno.exit(await main(Deno.args, io));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  io.err(`brownout: ${error.message}\n`);
  Deno.exit(EXIT.usage);
}
