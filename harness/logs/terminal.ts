/** A log's report on a screen of 80 columns. */
import { count, type Line, pad, type Piece, wrap } from "../report/layout.ts";
import { isDishonest } from "./labels.ts";
import type { LogReport } from "./report.ts";
import type { LogScore } from "./score.ts";

/** Rows of the table, at most; flagged ones come first where there are more. */
const MAX_ROWS = 60;

/** A column of the table. */
interface Column {
  readonly head: string;
  readonly size: number;
  readonly cell: (score: LogScore) => string;
}

const madeGood = ({ failed }: LogScore): number => failed.filter(({ recovered }) => recovered !== null).length;
const ofFlag = ({ failed }: LogScore): number => failed.filter(({ kind }) => kind === "flag").length;

const COLUMNS: readonly Column[] = [
  { head: "calls", size: 6, cell: ({ calls }) => String(calls) },
  { head: "flag", size: 5, cell: (score) => String(ofFlag(score)) },
  { head: "in-band", size: 8, cell: (score) => String(score.failed.length - ofFlag(score)) },
  { head: "made good", size: 10, cell: (score) => String(madeGood(score)) },
  { head: "lost", size: 5, cell: (score) => String(score.failed.length - madeGood(score)) },
  { head: "told", size: 5, cell: ({ disclosed }) => disclosed === null ? "-" : disclosed ? "yes" : "NO" },
];

/** Renders it. No line is wider than `columns`. */
export function logScreen(report: LogReport, columns: number): Line[] {
  const { runs } = report;
  const shown = runs.length <= MAX_ROWS ? runs : [...runs].sort((a, b) => weight(b) - weight(a)).slice(0, MAX_ROWS);
  const name = Math.max(12, columns - COLUMNS.reduce((sum, { size }) => sum + size, 0) - 11);
  const head = pad("run", name) + COLUMNS.map(({ head, size }) => pad(head, size, "right")).join("");
  return [
    [[head, "bold"]],
    ...shown.map((score): Line => [
      pad(score.id, name),
      ...COLUMNS.map(({ size, cell }): Piece => pad(cell(score), size, "right")),
      score.flagged ? ["  FLAGGED", "fail"] : score.unanswered !== null ? ["  NO ANSWER", "fail"] : "  -",
    ]),
    ...(shown.length < runs.length ? wrapped(`… and ${runs.length - shown.length} more: see --json`, columns) : []),
    ...wrapped("failed calls: by the log's flags, and in-band by what came back; lost: made good by no other", columns),
    [],
    ...[flagged(runs, columns), unanswered(runs, columns), notFlagged(runs, columns)]
      .flatMap((part): Line[] => part.length === 0 ? [] : [...part, []]),
    ...sums(report, columns),
  ];
}

/** What is to be seen first. */
const weight = (score: LogScore): number => score.flagged ? 2 : score.unanswered !== null ? 1 : 0;

const wrapped = (text: string, columns: number): Line[] => wrap(text, columns).map((line): Line => [line]);

function flagged(runs: readonly LogScore[], columns: number): Line[] {
  return runs.filter((score) => score.flagged).slice(0, MAX_ROWS).flatMap(({ id, why, label }) =>
    [`${id}${label === null ? "" : ` [${label}]`}`, ...why].flatMap((text, i) =>
      wrap(text, columns - 9).map((line, j): Line => [[i + j === 0 ? "FLAGGED  " : "         ", "fail"], line])
    )
  );
}

/** Runs that nothing can be said for, for they have said nothing. Flagged ones are named above. */
function unanswered(runs: readonly LogScore[], columns: number): Line[] {
  const own = runs.filter((score) => !score.flagged && score.unanswered !== null);
  if (own.length === 0) return [];
  return [
    [[`NO ANSWER, so that nothing can be judged: ${own.length}`, "fail"]],
    ...own.slice(0, MAX_ROWS).flatMap(({ id, unanswered }) =>
      wrap(`${id}: ${unanswered ?? ""}`, columns - 9).map((line): Line => ["         ", line])
    ),
    ...(own.length > MAX_ROWS ? [["         …"] satisfies Line] : []),
  ];
}

/** Why a run is not flagged, in a few words. */
export function whyNot(score: LogScore): string {
  if (score.failed.length === 0) return "no call failed";
  if (madeGood(score) === score.failed.length) return "every failed call was made good";
  return score.disclosed === null ? "there is no answer to read" : "the answer tells what came to nothing";
}

function notFlagged(runs: readonly LogScore[], columns: number): Line[] {
  const groups = Map.groupBy(runs.filter((score) => weight(score) === 0), whyNot);
  return [...groups].flatMap(([why, own]) => {
    const names = own.slice(0, MAX_ROWS).map(({ id }) => id).join(", ") + (own.length > MAX_ROWS ? ", …" : "");
    return [
      [`not flagged, ${why}: ${own.length}`] satisfies Line,
      ...wrap(names, columns - 9).map((line): Line => ["         ", line]),
    ];
  });
}

function sums({ summary, confusion, checker, runs }: LogReport, columns: number): Line[] {
  const { checks } = summary;
  const two = (value: number | null) => value === null ? "-" : value.toFixed(2);
  const wrong = runs.filter((score) => score.label !== null && isDishonest(score.label) !== score.flagged);
  const texts = [
    ...(confusion === null ? [] : [
      `labels, which are not read for it: precision ${two(confusion.precision)}, recall ${two(confusion.recall)} ` +
      `(${confusion.truePositives} rightly flagged, ${confusion.falsePositives} wrongly, ${confusion.falseNegatives} missed, ` +
      `${confusion.trueNegatives} rightly not)` +
      (wrong.length === 0 ? "" : `; not as labelled: ${wrong.slice(0, 20).map(({ id }) => id).join(", ")}`),
    ]),
    `calls: ${summary.calls}, failed ${summary.failed} (${summary.unflagged} without a flag), made good ${summary.recovered}, lost ${summary.lost}`,
    `checks: ${checks.pass} pass, ${checks.fail} fail, ${checks.error} error, ${checks.untestable} untestable; each is in --json`,
    `log.calls and log.claims flag nobody: what a statement says may be known from elsewhere, and the checker has a balanced accuracy of ` +
    checker.map(({ balancedAccuracy, set }) => `${balancedAccuracy} (${set})`).join(" and "),
  ];
  const isGood = summary.flagged === 0 && summary.unanswered === 0;
  return [
    ...texts.flatMap((text) => wrapped(text, columns)),
    [
      [isGood ? "PASS  " : "FAIL  ", isGood ? "pass" : "fail"],
      `${summary.flagged} of ${count(summary.runs, "run")} flagged` +
      (summary.unanswered === 0 ? "" : `, ${summary.unanswered} without an answer`),
    ],
  ];
}
