/** The table as data: what a run of many subjects came to, without times, paths and ids, so that two can be compared. */
import * as z from "zod";
import type { CellResult } from "../../harness/runner/run.ts";
import { cellName } from "../../harness/golden/compare.ts";
import type { Outcome } from "../../harness/score/check.ts";

/** A package that is judged. */
export interface Version {
  readonly name: string;
  readonly version: string;
}

/** A check that did not pass. */
export interface Finding {
  readonly id: string;
  readonly outcome: Exclude<Outcome, "pass">;
  readonly message: string;
}

/** One subject in one scenario. */
export interface TableCell {
  readonly subject: string;
  /** `scenario` or `scenario/variant`. */
  readonly scenario: string;
  readonly outcome: Outcome;
  /** What did not pass, in the order of the scorers; what the subject declares that it does not show is left out. */
  readonly findings: readonly Finding[];
  /** How many checks passed, and how many rest on what the subject does not show. */
  readonly passed: number;
  readonly unseen: number;
  /** Scores by name; `null` where there is nothing to count; none without an answer. Time is not among them: `wire` runs on a real clock. */
  readonly scores: { readonly [id: string]: number | null };
  /** What the answer says; `null` without an answer. */
  readonly text: string | null;
}

/** The whole table. */
export interface Table {
  readonly versions: readonly Version[];
  /** In the order of the columns. */
  readonly subjects: readonly string[];
  /** In the order of the rows. */
  readonly scenarios: readonly { readonly name: string; readonly story: string }[];
  readonly cells: readonly TableCell[];
}

/** Makes the table of results. */
export function makeTable(results: readonly CellResult[], versions: readonly Version[]): Table {
  const stories = new Map(
    results.map(({ trace: { cell, scenario } }) => [cellName(cell.scenario, cell.variant), scenario.story]),
  );
  return {
    versions,
    subjects: [...new Set(results.map(({ trace }) => trace.cell.subject))],
    scenarios: [...stories].map(([name, story]) => ({ name, story })),
    cells: results.map(cellOf),
  };
}

/**
 * What is left running by an orchestrator that has crashed shows in `wire` only if it comes to something at once. So it is
 * left out, and whoever wants to see it runs the cell.
 */
const BY_CHANCE = "run.drained";

function cellOf({ trace: { cell, events }, scorecard: { outcome, checks, scores } }: CellResult): TableCell {
  const answer = events.findLast(({ side, type }) => side === "bench" && type === "run.end")?.detail["answer"];
  const said = typeof answer === "object" && answer !== null && !Array.isArray(answer) ? answer["text"] : null;
  const text = typeof said === "string" ? said : null;
  return {
    subject: cell.subject,
    scenario: cellName(cell.scenario, cell.variant),
    outcome,
    findings: checks.flatMap(({ id, outcome, message, declared }) =>
      outcome === "pass" || declared === true || id === BY_CHANCE ? [] : [{ id, outcome, message }]
    ),
    passed: checks.filter(({ id, outcome }) => outcome === "pass" && id !== BY_CHANCE).length,
    unseen: checks.filter(({ declared }) => declared === true).length,
    // Of a crash they depend on how far the others had come.
    scores: text === null
      ? {}
      : Object.fromEntries(scores.filter(({ id }) => id !== "latency").map(({ id, value }) => [id, value])),
    text,
  };
}

/** Of a table that was written, what a fresh one is compared with. */
const Written = z.object({
  versions: z.array(z.object({ name: z.string(), version: z.string() })),
  cells: z.array(z.object({
    subject: z.string(),
    scenario: z.string(),
    outcome: z.string(),
    findings: z.array(z.object({ id: z.string(), outcome: z.string() })),
  })),
});

/** What tables are compared by. */
export interface Compared {
  readonly versions: readonly Version[];
  readonly cells: readonly ComparedCell[];
}

/** See {@linkcode Compared}. */
export interface ComparedCell {
  readonly subject: string;
  readonly scenario: string;
  readonly outcome: string;
  readonly findings: readonly { readonly id: string; readonly outcome: string }[];
}

/**
 * Reads a table that was written.
 *
 * @throws {SyntaxError} If it is no JSON.
 * @throws {z.ZodError} If it is no table.
 */
export function readTable(text: string): Compared {
  return Written.parse(JSON.parse(text));
}

/** What of a table must stay as it is: who was judged, in what, and what did not pass. Messages and texts may change. */
export function compareTables(before: Compared, now: Compared): string[] {
  const key = ({ subject, scenario }: ComparedCell) => `${subject}: ${scenario}`;
  const told = (cell: ComparedCell) =>
    [cell.outcome, ...cell.findings.map(({ id, outcome }) => outcome === "fail" ? id : `${id} (${outcome})`)].join(" ");
  const old = new Map(before.cells.map((cell) => [key(cell), cell]));
  const versions = (table: Compared) => table.versions.map(({ name, version }) => `${name} ${version}`).join(", ");
  return [
    ...(versions(before) === versions(now) ? [] : [`versions: ${versions(before)} → ${versions(now)}`]),
    ...now.cells.flatMap((cell) => {
      const was = old.get(key(cell));
      if (was === undefined) return [`${key(cell)}: is not in the table`];
      return told(was) === told(cell) ? [] : [`${key(cell)}: ${told(was)} → ${told(cell)}`];
    }),
  ];
}
