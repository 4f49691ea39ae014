/** `reports/thresholds.yaml`: the least that scores must be, and the most or least that counts may be. */
import * as z from "zod";
import { cellName, type Change } from "../golden/compare.ts";
import type { CellResult } from "../runner/run.ts";
import { check as validate } from "../scenario/issues.ts";
import { type Problem, type Result, tidy, unknown } from "../scenario/problem.ts";
import { Name } from "../scenario/schema.ts";
import { readSource, type Source } from "../scenario/source.ts";
import type { Score } from "../score/scores.ts";
import { isAbout, type Names, scopeFlaw } from "./scope.ts";

/** What can be counted: cells or checks, all of them or those of one outcome. */
const COUNTS = [
  "cells",
  "cells.fail",
  "cells.error",
  "cells.untestable",
  "checks",
  "checks.fail",
  "checks.error",
  "checks.untestable",
] as const;

const Threshold = z.strictObject({
  /** Only this crew's cells. */
  crew: Name.optional(),
  /** Only these cells: `scenario`, which means its variants too, `scenario/variant`, or a glob over these. */
  scenario: z.string().min(1).optional(),
  /** A score, or `score.component`. */
  score: z.string().min(1).optional(),
  /** What each cell must come to, or all together. */
  of: z.enum(["each", "mean"]).optional(),
  /** Something to count instead. */
  count: z.enum(COUNTS).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});

/** The file. */
const ThresholdsFile = z.strictObject({ thresholds: z.array(Threshold).min(1) });

type Threshold = z.infer<typeof Threshold>;

/** Thresholds, and where each stands. */
export interface Thresholds {
  readonly source: Source;
  readonly thresholds: readonly Threshold[];
}

/** What thresholds come to. */
export interface Measured {
  /** Those that are not met. */
  readonly changes: readonly Change[];
  /** Those that make no sense for what was run. */
  readonly problems: readonly Problem[];
}

/**
 * Reads the file. Unknown keys and names, and thresholds that can never fail, are problems.
 *
 * @param file What people call it.
 */
export async function readThresholds(path: string, file: string, names: Names): Promise<Result<Thresholds>> {
  const read = await readSource(path, file);
  if (!read.ok) return read;
  const source = read.value;
  const parsed = validate(ThresholdsFile, source.value, (path, text, part) => source.problem(path, text, part));
  if ("problems" in parsed) return { ok: false, problems: tidy(parsed.problems) };
  const { thresholds } = parsed.value;
  const problems = thresholds.flatMap((one, i) => senseless(one, names).map(([key, text]) => at(source, i, key, text)));
  return problems.length > 0 ? { ok: false, problems: tidy(problems) } : { ok: true, value: { source, thresholds } };
}

type Flaw = readonly [key: keyof Threshold | null, message: string];

/** What is wrong with a threshold whatever the run comes to. */
function senseless({ crew, scenario, score, count, of, min, max }: Threshold, names: Names): Flaw[] {
  const flaws: Flaw[] = [];
  if (crew !== undefined && !names.crews.has(crew)) flaws.push(["crew", unknown("crew", crew, names.crews)]);
  if (scenario !== undefined) {
    const flaw = scopeFlaw(scenario, names);
    if (flaw !== undefined) flaws.push(["scenario", flaw]);
  }
  if ((score === undefined) === (count === undefined)) flaws.push([null, "needs exactly one of score and count"]);
  if (of !== undefined && score === undefined) flaws.push(["of", "belongs to score"]);
  if (min === undefined && max === undefined) flaws.push([null, "can never fail: it has neither min nor max"]);
  // Nothing that is scored or counted is ever below 0.
  if (min !== undefined && min <= 0) flaws.push(["min", `can never fail: nothing is below ${min}`]);
  if (max !== undefined && max < 0) flaws.push(["max", `can never be met: nothing is below 0`]);
  if (min !== undefined && max !== undefined && min > max) flaws.push(["min", `can never be met: it is above max`]);
  return flaws;
}

/**
 * Holds a run against thresholds.
 *
 * @param isWhole Whether everything was run; if not, counts and means say nothing and are not looked at.
 */
export function measure(
  { source, thresholds }: Thresholds,
  results: readonly CellResult[],
  isWhole: boolean,
): Measured {
  const changes: Change[] = [];
  const problems: Problem[] = [];
  for (const [i, threshold] of thresholds.entries()) {
    const scope = results.filter((result) => isMeant(threshold, result));
    if (!isWhole && (scope.length === 0 || threshold.count !== undefined || threshold.of === "mean")) continue;
    const { line } = source.place(["thresholds", i]);
    const where = `${source.file}:${line}`;
    const found = threshold.count !== undefined
      ? counted(threshold, threshold.count, scope)
      : scored(threshold, threshold.score ?? "", scope, results);
    // Of a part it is no wonder that it says nothing about a score.
    if (!isWhole && found.isEmpty) continue;
    changes.push(...found.facts.map((fact): Change => ({ where, severity: "score", facts: [fact] })));
    problems.push(...found.flaws.map(([key, text]) => at(source, i, key, text)));
  }
  return { changes, problems: tidy(problems) };
}

interface Found {
  /** Whether no cell says anything about it. */
  readonly isEmpty?: true;
  readonly facts: readonly string[];
  readonly flaws: readonly Flaw[];
}

function counted({ min, max }: Threshold, what: (typeof COUNTS)[number], scope: readonly CellResult[]): Found {
  const [kind, outcome] = what.split(".");
  const outcomes = kind === "cells"
    ? scope.map(({ scorecard }) => scorecard.outcome)
    : scope.flatMap(({ scorecard }) => scorecard.checks.map((check) => check.outcome));
  const n = outcome === undefined ? outcomes.length : outcomes.filter((one) => one === outcome).length;
  const text = `${n} ${outcome === undefined ? kind : `${kind} ${outcome}`}`;
  return { facts: bounds(n, min, max).map((bound) => `${text}, ${bound}`), flaws: [] };
}

function scored(
  threshold: Threshold,
  id: string,
  scope: readonly CellResult[],
  all: readonly CellResult[],
): Found {
  const ids = new Set(all.flatMap(({ scorecard }) => scorecard.scores.flatMap(idsOf)));
  if (!ids.has(id)) return { facts: [], flaws: [["score", unknown("score", id, ids)]], isEmpty: true };
  const values = scope.flatMap((result) => {
    const number = numberOf(result.scorecard.scores, id);
    return number === undefined || number.value === null ? [] : [{ result, ...number, value: number.value }];
  });
  const flaws = values[0] === undefined ? [] : pointless(threshold, values[0].unit);
  if (flaws.length > 0) return { facts: [], flaws };
  if (values.length === 0) {
    return { facts: [`no cell that it is about has a number for ${id}`], flaws: [], isEmpty: true };
  }
  const { min, max, of } = threshold;
  if (of === "mean") {
    const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
    return { facts: bounds(mean, min, max).map((bound) => `mean ${id} is ${round(mean)}, ${bound}`), flaws: [] };
  }
  return {
    facts: values.flatMap(({ result: { trace: { cell } }, value, message }) =>
      bounds(value, min, max).map((bound) =>
        `${id} of ${cellName(cell.scenario, cell.variant)} is ${round(value)}, ${bound}: ${message}`
      )
    ),
    flaws: [],
  };
}

/** What is wrong with a threshold's numbers, now that it is known what they count. */
function pointless({ min, max }: Threshold, unit: string): Flaw[] {
  if (unit === "ratio") {
    if (max !== undefined && max >= 1) return [["max", `can never fail: a ratio is at most 1`]];
    if (min !== undefined && min > 1) return [["min", `can never be met: a ratio is at most 1`]];
  }
  return unit === "stretch" && min !== undefined && min <= 1
    ? [["min", "can never fail: a stretch is at least 1; give a max"]]
    : [];
}

function bounds(value: number, min: number | undefined, max: number | undefined): string[] {
  // A score is kept to 4 places; what is beyond them is arithmetic.
  const rounded = round(value);
  if (min !== undefined && rounded < min) return [`at least ${min} is wanted`];
  return max !== undefined && rounded > max ? [`at most ${max} is allowed`] : [];
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

const idsOf = ({ id, components }: Score): string[] => [id, ...components.map((component) => `${id}.${component.id}`)];

function numberOf(scores: readonly Score[], id: string) {
  for (const score of scores) {
    if (score.id === id) return score;
    const part = score.components.find((component) => `${score.id}.${component.id}` === id);
    if (part !== undefined) return { ...part, message: score.message };
  }
  return undefined;
}

function isMeant({ crew, scenario }: Threshold, { trace }: CellResult): boolean {
  return (crew === undefined || trace.crew.name === crew) && (scenario === undefined || isAbout(scenario, trace.cell));
}

function at(source: Source, i: number, key: keyof Threshold | null, message: string): Problem {
  return key === null
    ? source.problem(["thresholds", i], message)
    : source.problem(["thresholds", i, key], `"${key}": ${message}`);
}
