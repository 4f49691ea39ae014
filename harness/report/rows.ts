/** The cells of a report as one row a scenario, with its lanes side by side. */
import { sha256 } from "../../core/mod.ts";
import { type Outcome, tally } from "../score/check.ts";
import type { LaneName } from "../trace/event.ts";
import { digestOf } from "./digest.ts";
import type { CellBrief } from "./gist.ts";
import type { CellReport, RunReport } from "./report.ts";

/** One row: the cells that differ only in lane, seed and repeat. */
export interface ScenarioRow {
  /** `scenario[/variant]`, and subject and model where they are not the default. */
  readonly name: string;
  /** Name of the crew. */
  readonly crew: string;
  /** At least one. */
  readonly cells: readonly CellBrief[];
  /** Status of the answer; several where the cells disagree. */
  readonly answer: string;
  /** Virtual milliseconds, or nothing outside `sim`. */
  readonly makespan: string;
  /** Who failed with which code, and what stands in. */
  readonly lost: string;
  /** The same in fewer words. */
  readonly lostBrief: string;
}

const LANES: readonly LaneName[] = ["sim", "wire"];

/** The lanes that occur in a report, in their fixed order. */
export function lanesOf(report: RunReport): LaneName[] {
  return LANES.filter((lane) => digestOf(report).briefs.some(({ cell }) => cell.lane === lane));
}

/** Name of the row that a cell belongs to. */
export function rowName({ cell: { scenario, variant, subject, model } }: Pick<CellReport, "cell">): string {
  return [
    variant === null ? scenario : `${scenario}/${variant}`,
    ...(subject === "reference" ? [] : [`subject=${subject}`]),
    ...(model === "scripted" ? [] : [`model=${shortModel(model)}`]),
  ].join(",");
}

/** Longest model part of a name, in characters. */
const MAX_MODEL = 40;

/** The models of several agents: the first, how many more, and six digits that no other choice has. */
export function shortModel(model: string): string {
  const parts = model.split("+");
  if (model.length <= MAX_MODEL || parts.length < 2) return model;
  return `${parts[0]}+${parts.length - 1}-more-${sha256(model).slice(0, 6)}`;
}

/** A cell's id for people. Reports and commands have it whole. */
export function shortId(id: string): string {
  return id.replace(/(?<=,model=)[^,]+/, shortModel);
}

/** The rows of a report, by crew and then in the order of the cells. */
export function scenarioRows(report: RunReport): ScenarioRow[] {
  const byCrew = Map.groupBy(digestOf(report).briefs, ({ crew }) => crew);
  return [...byCrew].flatMap(([crew, own]) =>
    [...Map.groupBy(own, rowName)].map(([name, group]): ScenarioRow => ({
      name,
      crew,
      cells: group,
      answer: distinct(group.map(({ answer }) => answer ?? "none")).join("/"),
      makespan: span(group.flatMap(({ makespan }) => makespan ?? [])),
      lost: describeAll(group, false),
      lostBrief: describeAll(group, true),
    }))
  );
}

/** What became of a row in a lane: one outcome, or how many cells of each where they differ. */
export function laneOutcome(
  { cells }: ScenarioRow,
  lane: LaneName,
  word: (outcome: Outcome) => string,
): { readonly text: string; readonly worst?: Outcome } {
  const counts = Object.entries(tally(cells.filter(({ cell }) => cell.lane === lane).map(({ outcome }) => outcome)))
    .filter(([, n]) => n > 0) as [Outcome, number][];
  const [first, second] = counts;
  if (first === undefined) return { text: "-" };
  const worst = (["error", "fail", "untestable"] as const).find((one) => counts.some(([outcome]) => outcome === one));
  const text = second === undefined && first[1] === 1
    ? word(first[0])
    : counts.map(([outcome, n]) => `${n} ${word(outcome)}`).join(" ");
  return { text, worst: worst ?? "pass" };
}

function span(times: readonly number[]): string {
  if (times.length === 0) return "-";
  // Not spread: there may be more of them than a function takes.
  const [least, most] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
    .map((ms) => String(Math.round(ms * 10) / 10));
  return least === most ? `${most}` : `${least}-${most}`;
}

/** Where the cells disagree, what each of them says. */
function describeAll(cells: readonly CellBrief[], brief: boolean): string {
  return distinct(cells.map(({ lost, lostBrief }) => (brief ? lostBrief : lost) || "nobody")).join(" | ")
    .replace(/^nobody$/, "");
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
