/** Reads reports that `bench run -o FILE.json` wrote, today or long ago, here or elsewhere. */
import { z } from "zod";
import { clip, type Json, oneLine } from "../../core/mod.ts";
import { REPORT_SCHEMA } from "../report/report.ts";
import { check as checkShape } from "../scenario/issues.ts";
import { MAX_PROBLEMS } from "../scenario/problem.ts";
import type { Outcome } from "../score/check.ts";
import type { ScoreUnit } from "../score/scores.ts";
import { type Cell, cellId } from "../trace/event.ts";

const OUTCOMES = ["pass", "fail", "error", "untestable"] as const satisfies readonly Outcome[];
const UNITS = ["ratio", "stretch", "ms", "tokens", "usd", "count"] as const satisfies readonly ScoreUnit[];

/** What a cell is. Strict: a key that is not known may be one that tells cells apart. */
const CellKey = z.strictObject({
  scenario: z.string().min(1),
  variant: z.string().min(1).nullable(),
  lane: z.enum(["sim", "wire"]),
  subject: z.string().min(1),
  model: z.string().min(1),
  seed: z.string(),
  repeat: z.int().min(1),
});

/** It stands in sentences and tables, so it is a plain word; and it is not the one that stands for pass and fail. */
const ScoreName = z.string().regex(/^(?!verdict$)[a-z][\w.-]{0,39}$/i, {
  error: "a score's id is a letter and up to 39 letters, digits, _, . or -, and not verdict",
});

/** What is read of a report. What else is in it is for others; the version tells whether it means what it did. */
const ReportFile = z.object({
  schema: z.literal(REPORT_SCHEMA),
  cells: z.array(z.object({
    cell: CellKey,
    outcome: z.enum(OUTCOMES),
    checks: z.array(z.object({ id: z.string().min(1), outcome: z.enum(OUTCOMES) })),
    scores: z.array(z.object({ id: ScoreName, value: z.number().nullable(), unit: z.enum(UNITS) })).optional(),
  })),
});

/** What a report has of which a part is missing. */
const PartialFile = z.object({
  partial: z.object({ planned: z.int(), ended: z.int(), why: z.string() }).optional(),
});

/** A score as a report has it. */
export interface ReadScore {
  /** The number; `null` where the cell says nothing about it. */
  readonly value: number | null;
  /** What it counts. */
  readonly unit: ScoreUnit;
}

/** A cell as it is compared. */
export interface ReadCell {
  /** Its name. */
  readonly id: string;
  /** What it is made of. */
  readonly cell: Cell;
  /** The worst outcome of its checks. */
  readonly outcome: Outcome;
  /** Outcomes of its checks, by their ids. */
  readonly checks: ReadonlyMap<string, Outcome>;
  /** Its scores, by their ids. */
  readonly scores: ReadonlyMap<string, ReadScore>;
}

/** The cells of a report, or all that is wrong with it: one line each, with the place in it and what is allowed. */
export type Read =
  | { readonly ok: true; readonly cells: readonly ReadCell[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads a report.
 *
 * @param text The file's text.
 * @param file What people call the file.
 */
export function readReport(text: string, file: string): Read {
  const bad = (...messages: readonly string[]): Read => ({
    ok: false,
    problems: messages.slice(0, MAX_PROBLEMS).map((message) => oneLine(`${file}: ${message}`)),
  });
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return bad(`is no JSON (${why}); give a report that bench run -o FILE.json wrote`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("cells" in value && "schema" in value)) {
    return bad("is no report: it has no schema and cells; give one that bench run -o FILE.json wrote");
  }
  if (value["schema"] !== REPORT_SCHEMA) {
    return bad(
      `schema: it is a report of version ${JSON.stringify(value["schema"])}, and this bench reads version ` +
        `${REPORT_SCHEMA}; compare it with the bench that wrote it, or run it again`,
    );
  }
  const early = checkPartial(value);
  if (early !== undefined) return bad(early);
  const read = checkShape(ReportFile, value, (path, message) => ({
    file: placeOf(path),
    line: 0,
    column: 0,
    message,
  }));
  if ("problems" in read) {
    return bad(...read.problems.map(({ file: place, message }) => `${place === "" ? "" : `${place}: `}${message}`));
  }
  const cells = read.value.cells.map(({ cell, outcome, checks, scores = [] }): ReadCell => ({
    id: cellId(cell),
    cell,
    outcome,
    checks: new Map(checks.map(({ id, outcome }) => [id, outcome])),
    scores: new Map(scores.map(({ id, value, unit }) => [id, { value, unit }])),
  }));
  const twice = repeated(cells);
  return twice.length > 0 ? bad(...twice) : { ok: true, cells };
}

/** Why a report cannot be compared whose run was ended early: what is missing could be all that the sides differ in. */
function checkPartial(report: object): string | undefined {
  const parsed = PartialFile.safeParse(report);
  if (!parsed.success) return "partial: it is there, and does not say how much of the run is; run it again";
  const { partial } = parsed.data;
  if (partial === undefined) return undefined;
  const { planned, ended, why } = partial;
  return `is of a run that was ended early, with ${ended} of ${planned} cells (${
    clip(oneLine(why), 160)
  }); go on with ` +
    "it (bench list --runs, then bench run … --resume ID) and compare the whole";
}

/** `cells[3].cell`: a key at the end is left out, since the message names it. */
function placeOf(path: readonly PropertyKey[]): string {
  const shown = typeof path.at(-1) === "string" ? path.slice(0, -1) : path;
  return shown.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("").replace(/^\./, "");
}

/** What would make a pair ambiguous, or count twice. */
function repeated(cells: readonly ReadCell[]): string[] {
  const first = new Map<string, number>();
  return cells.flatMap(({ id }, i) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, i);
    return before === undefined ? [] : [`cells[${i}]: ${id} stands there already, as cells[${before}]; keep one`];
  });
}
