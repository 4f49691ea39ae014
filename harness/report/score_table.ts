/** The scores of a run on a terminal: a line for each score and crew, and one for all crews that have it in full. */
import { type CrewScore, crewScores, worstName } from "./crew_scores.ts";
import { fit, type Line, pad, widest, wrap } from "./layout.ts";
import type { RunReport } from "./report.ts";
import { isPerfect, scoreText, UNIT_WORDS } from "./score_words.ts";

interface Row {
  readonly score: string;
  readonly crews: string;
  readonly mean: string;
  readonly interval: string;
  readonly worst: string;
}

const HEAD: Row = { score: "score", crews: "crew", mean: "mean", interval: "95 % interval", worst: "worst" };
/** Widest column of crews. */
const MAX_CREWS = 24;

/** Lays the scores out; nothing where there are none. Intervals are there only where something was tried twice. */
export function scoreTable(report: RunReport, columns: number): Line[] {
  const rows = rowsOf(crewScores(report));
  if (rows.length === 0) return [];
  const column = (key: keyof Row, max: number) => Math.max(HEAD[key].length, widest(rows.map((row) => row[key]), max));
  const [score, crews, mean] = [column("score", 16), column("crews", MAX_CREWS), column("mean", 10)];
  const hasIntervals = rows.some(({ interval }) => interval !== "");
  const interval = hasIntervals ? column("interval", 20) + 2 : 0;
  const used = score + crews + mean + interval + 6;
  // Too narrow for a table: a sentence a line.
  if (columns - used < 16) {
    return [[["Scores", "bold"]], ...rows.flatMap((row) => narrow(row, columns))];
  }
  const line = (row: Row): string =>
    [
      pad(row.score, score),
      pad(row.crews, crews),
      pad(row.mean, mean, "right"),
      ...(hasIntervals ? [pad(row.interval, interval - 2)] : []),
      fit(row.worst, columns - used),
    ].join("  ");
  return [[[line(HEAD), "bold"]], ...rows.map((row): Line => [line(row)])];
}

function narrow({ score, crews, mean, interval, worst }: Row, columns: number): Line[] {
  const text = [`${score} ${crews} ${mean}`, interval, worst === "" ? "" : `worst ${worst}`].filter((part) =>
    part !== ""
  );
  return wrap(text.join(", "), columns - 2).slice(0, 4).map((line): Line => [`  ${line}`]);
}

function rowsOf(scores: readonly CrewScore[]): Row[] {
  return [...Map.groupBy(scores, ({ spread }) => spread.id)].flatMap(([id, own]) => {
    const full = own.filter(({ spread: { worst, unit } }) => isPerfect(worst, unit));
    const rest = own.filter((one) => !full.includes(one));
    const apart = rest.map(({ crew, spread: { mean, interval, worst, unit }, spread }): Omit<Row, "score"> => ({
      crews: crew,
      mean: scoreText(mean, unit),
      interval: interval === null ? "" : interval.map((end) => scoreText(end, unit)).join(" to "),
      worst: spread.n === 1 ? "" : `${scoreText(worst, unit)} ${worstName(spread)}`,
    }));
    const together = full.slice(0, 1).map(({ crew, spread: { mean, unit } }): Omit<Row, "score"> => ({
      crews: full.length === 1 ? crew : rest.length === 0 ? "all" : "others",
      mean: scoreText(mean, unit),
      interval: "",
      worst: "",
    }));
    const unit = own.map(({ spread }) => UNIT_WORDS[spread.unit])[0] ?? "";
    const name = unit === "" ? id : `${id} (${unit})`;
    return [...apart, ...together].map((row, i) => ({ ...row, score: i === 0 ? name : "" }));
  });
}
