/** One screen about a run, for somebody who has never seen one. */
import { judgedWords } from "../judge/judged.ts";
import type { CellResult } from "../runner/run.ts";
import type { Outcome } from "../score/check.ts";
import { viewTrace } from "../score/view.ts";
import type { LaneName } from "../trace/event.ts";
import { crewTable } from "./crew_table.ts";
import { answerLines } from "./explain_answer.ts";
import { coverageLines } from "./coverage.ts";
import { missingWords, partialWords, WHOLE } from "./early_end.ts";
import { type Finding, readFindings } from "./findings.ts";
import {
  count,
  draw,
  fit,
  flow,
  type Line,
  outcomeWord,
  type Piece,
  type Screen,
  width,
  wrap,
  wrapUpTo,
} from "./layout.ts";
import { digestOf } from "./digest.ts";
import { reliabilityLines } from "./reliability_lines.ts";
import type { RunReport } from "./report.ts";
import { lanesOf, rowName, shortId } from "./rows.ts";
import { scenarioTable } from "./scenario_table.ts";
import { scoreTable } from "./score_table.ts";
import { tellingRank } from "./telling.ts";
import { timelineLines } from "./timeline.ts";
import { untestedWords } from "./untested.ts";

/** Options of {@linkcode renderTerminal}. */
export interface TerminalOptions extends Screen {
  /** `auto`: the cell that is most worth a look, if only a few scenarios were run or all are listed. `all`: every cell. */
  readonly timeline: "auto" | "all" | "none";
  /**
   * Whether each scenario has a line of its own, however many there are.
   *
   * @default {false}
   */
  readonly list?: boolean;
  /** Where scenarios are that cannot be had by name, as the user would type it, by name. */
  readonly paths?: ReadonlyMap<string, string>;
  /** Options of the run without which another one would be about something else, as the user would type them. */
  readonly again?: readonly string[];
  /** The task that runs them; `bench` if left out. */
  readonly task?: string;
  /** Files that the run has written. */
  readonly files: readonly { readonly label: string; readonly path: string }[];
  /** How long the run took, in milliseconds of the wall clock. */
  readonly elapsedMs?: number;
}

const MAX_FINDINGS = 5;
/** Most lines of a finding's words; what is missing of a run has all of its names, which are few. */
const MAX_LINES = { finding: 4, whole: 24 };
/** Most scenarios that each have a line of their own where nobody has asked for a list. */
const FEW = 12;
const MAX_ROWS = 12;
const MAX_ANSWER_LINES = { auto: 12, all: 60 };
/** No line could say anything on a screen narrower than this; it is drawn as if it were so wide. */
const MIN_COLUMNS = 24;

/**
 * Renders a run: what was run and what came of it, the scores, the timeline of the cell that is most worth a look, the
 * worst findings, the sums, and what to type next. Of many scenarios there are numbers by crew, and no timeline.
 *
 * @param results Cells of the report, for their timelines; a cell that is not among them has none. For "auto" the one that is
 *   most worth a look will do.
 */
export function renderTerminal(report: RunReport, results: Iterable<CellResult>, options: TerminalOptions): string {
  const screen = { ...options, columns: Math.max(MIN_COLUMNS, options.columns) };
  const findings = readFindings(report);
  const isOverview = options.list !== true && scenarioCount(report) > FEW;
  const blocks: Line[][] = [
    title(report, screen),
    isOverview ? crewTable(report, screen.columns) : scenarioTable(report, screen.columns),
    scoreTable(report, screen.columns),
    reliabilityLines(report, screen.columns),
    ...timelines(results, isOverview && screen.timeline === "auto" ? { ...screen, timeline: "none" } : screen),
    findingLines(findings, report, screen.columns),
    [...summary(report, screen.columns), ...coverageLines(report.coverage, screen.columns)],
    judgeLines(report, screen.columns),
    closing(report, screen, isOverview),
  ];
  const lines = blocks.filter((block) => block.length > 0).map((block) =>
    block.map((line) => `${draw(line, screen)}\n`).join("")
  );
  return lines.join("\n");
}

function scenarioCount(report: RunReport): number {
  return new Set(digestOf(report).briefs.map(rowName)).size;
}

function title(report: RunReport, { columns, elapsedMs }: TerminalOptions): Line[] {
  const took = elapsedMs === undefined ? [] : [`in ${(elapsedMs / 1000).toFixed(1)} s`];
  const lanes: Readonly<Record<LaneName, string>> = {
    sim: "sim: one process, virtual clock (ms)",
    wire: "wire: server processes, real clock",
  };
  const used = lanesOf(report);
  const legend = flow(used.map((lane) => lanes[lane]), "   ", columns);
  return [
    ...flow(
      [`Brownout: ${count(scenarioCount(report), "scenario")}, ${count(report.cells.length, "cell")}`, ...took],
      " ",
      columns,
    )
      .map((line): Line => [[line, "bold"]]),
    ...(report.partial === undefined ? [] : wrap(`${partialWords(report.partial)}: ${report.partial.why}`, columns))
      .map((line): Line => [[line, "error"]]),
    ...legend.map((line): Line => [[line, "dim"]]),
  ];
}

function timelines(results: Iterable<CellResult>, { timeline, columns }: TerminalOptions): Line[][] {
  if (timeline === "none") return [];
  const size = timeline === "all" ? { columns } : { columns, maxRows: MAX_ROWS };
  const quote = { columns, maxLines: MAX_ANSWER_LINES[timeline] };
  const blocks: Line[][] = [];
  // One at a time: there may be many, and each brings its trace.
  for (const result of timeline === "all" ? results : mostTelling(results)) {
    const { answer, shown } = viewTrace(result.trace);
    blocks.push([...timelineLines(result, size), ...answerLines(answer, { ...quote, isText: !shown.has("answer") })]);
  }
  return blocks;
}

/** The cell that is most worth a look; of equals the first. */
function mostTelling(results: Iterable<CellResult>): CellResult[] {
  let best: { readonly result: CellResult; readonly rank: number } | undefined;
  for (const result of results) {
    const rank = tellingRank(aboutOf(result));
    if (best === undefined || rank < best.rank) best = { result, rank };
  }
  return best === undefined ? [] : [best.result];
}

function aboutOf({ trace, scorecard: { outcome } }: CellResult): Parameters<typeof tellingRank>[0] {
  return { outcome, answer: viewTrace(trace).answer?.status, isSmoke: trace.scenario.smoke };
}

function findingLines(findings: readonly Finding[], { partial }: RunReport, columns: number): Line[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, MAX_FINDINGS);
  const left = findings.length - shown.length;
  return [
    [["Findings", "bold"], left === 0 ? "" : `  the worst ${shown.length} of ${findings.length}`],
    ...shown.flatMap(({ outcome, check, message, cells, evidence }): Line[] => {
      const word = outcomeWord(outcome);
      const events = evidence.slice(0, 6).join(", ") + (evidence.length > 6 ? ", …" : "");
      const where = cells.length === 0
        ? "the run"
        : cells.length < 3
        ? cells.map(shortId).join(", ")
        : `${shortId(cells[0] ?? "")} and ${cells.length - 1} more cells`;
      const isWhole = check === WHOLE && partial !== undefined;
      // The reason stands at the top.
      const said = isWhole ? missingWords(partial) : message;
      const told = evidence.length === 0 ? said : `${said} (event${evidence.length === 1 ? "" : "s"} ${events})`;
      return [
        ...flow([fit(where, columns), fit(check, columns)], "  ", columns - word.length - 4).map((line, i): Line => [
          "  ",
          [i === 0 ? word : "".padEnd(word.length), outcome],
          `  ${line}`,
        ]),
        ...wrapUpTo(isWhole ? MAX_LINES.whole : MAX_LINES.finding, told, columns - 4)
          .map((line): Line => [`    ${line}`]),
      ];
    }),
  ];
}

/** What a judge says, apart from all that counts. */
function judgeLines({ judged }: RunReport, columns: number): Line[] {
  if (judged === undefined) return [];
  const { name, words } = judgedWords(judged);
  return wrap(`${name}: ${words}`, columns - 8).map((
    line,
    i,
  ): Line => [[(i === 0 ? "judge" : "").padEnd(8), "dim"], line]);
}

/** All four outcomes, for cells and for checks; never added together. */
function summary(report: RunReport, columns: number): Line[] {
  const { outcome, summary: { cells, checks }, run } = report;
  const kinds = ["pass", "fail", "error", "untestable"] as const satisfies readonly Outcome[];
  const digits = String(Math.max(...kinds.flatMap((kind) => [cells[kind], checks[kind]]))).length;
  const lead: Piece = [outcomeWord(outcome).toUpperCase(), outcome];
  // Beside the sums where there is room, else above them.
  const space = columns < 64 ? 0 : Math.max(lead[0].length, 6) + 2;
  const above: Line[] = space === 0 ? [[lead]] : [];
  const sums = ([["cells", cells], ["checks", checks]] as const).flatMap(([name, counts], i): Line[] => {
    const parts = kinds.map((kind) => `${String(counts[kind]).padStart(digits)} ${kind}`);
    return flow(parts, "   ", columns - space - 8).map((line, j): Line => [
      [(i + j === 0 ? lead[0] : "").slice(0, space).padEnd(space), outcome],
      (j === 0 ? name : "").padEnd(8),
      line,
    ]);
  });
  const why = wrap(untestedWords(digestOf(report).untested), columns - space - 8).map((line, i): Line => [
    "".padEnd(space) + (i === 0 ? "why" : "").padEnd(8),
    line,
  ]);
  const pairs = run.filter(({ id }) => id.startsWith("lanes.agree:"));
  const agree = pairs.filter(({ outcome }) => outcome === "pass").length;
  const lanes: Line[] = pairs.length === 0 ? [] : wrap(
    `${agree} of ${pairs.length} agree: the same verdicts, the same canonical trace`,
    columns - space - 8,
  ).map((line, i) => ["".padEnd(space) + (i === 0 ? "lanes" : "").padEnd(8), line]);
  return [...above, ...sums, ...why, ...lanes];
}

function closing(
  report: RunReport,
  { columns, files, paths, again = [], task = "bench" }: TerminalOptions,
  isOverview: boolean,
): Line[] {
  const { briefs } = digestOf(report);
  const bad = briefs.find(({ outcome }) => outcome === "fail") ?? briefs.find(({ outcome }) => outcome !== "pass");
  const degraded = briefs.find(({ answer }) => answer === "degraded");
  const about = bad ?? degraded ?? briefs[0];
  const path = about === undefined ? undefined : paths?.get(about.cell.scenario);
  const name = about === undefined ? "" : [path ?? about.cell.scenario, about.cell.variant ?? []].flat().join("/");
  // A command that is offered to be typed holds nothing but a plain name, or a path that no shell reads otherwise.
  const isPlain = (path === undefined ? /^[a-z0-9-]+(\/[a-z0-9-]+(\.[a-z0-9_]+)?)?$/ : /^[\w./][\w./-]*$/).test(name);
  const commands = isPlain
    ? [
      ...wrap(`deno task bench explain ${name}`, columns - 8),
      ...commandLines([`deno task ${task} run ${name} --timeline`, ...again], columns - 8),
    ]
    : ["deno task bench list"];
  const entries: (readonly [label: string, text: string])[] = [
    ...files.map(({ label, path }) => [label, path] as const),
    ...commands.map((command, i) => [i === 0 ? "next" : "", command] as const),
    ...(isOverview ? [["", "the same again with --list: a line for each scenario"] as const] : []),
  ];
  return entries.flatMap(([label, text]): Line[] =>
    wrap(text, columns - 8).map((line, i) => [[(i === 0 ? label.slice(0, 7) : "").padEnd(8), "dim"], line])
  );
}

/** A command on as many lines as it needs, so that it can be copied: a shell goes on behind a backslash. */
function commandLines(words: readonly string[], columns: number): string[] {
  const whole = words.join(" ");
  if (words.length === 1 || words.some((word) => width(word) > columns - 2)) return wrap(whole, columns);
  if (width(whole) <= columns) return [whole];
  const lines = flow(words, " ", columns - 2);
  return lines.map((line, i) => i === lines.length - 1 ? line : `${line} \\`);
}
