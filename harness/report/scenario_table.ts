/** The table of a run: one line a scenario, grouped by crew. */
import type { LaneName } from "../trace/event.ts";
import { type Line, outcomeWord, pad, type Piece, type Style, widest, width, wrapUpTo } from "./layout.ts";
import type { RunReport } from "./report.ts";
import { laneOutcome, lanesOf, type ScenarioRow, scenarioRows } from "./rows.ts";

interface Column {
  readonly head: string;
  /** Spaces before it. */
  readonly gap: number;
  readonly align: "left" | "right";
  readonly cell: (row: ScenarioRow) => readonly [text: string, style: Style];
}

/** Longest name that is shown in full where there is room for it, in cells. */
const MAX_NAME = 48;

/** Lays the table out. What failed stands on the scenario's line where it fits, else below it. */
export function scenarioTable(report: RunReport, columns: number): Line[] {
  const rows = scenarioRows(report);
  const lanes = lanesOf(report).map((lane, i) => laneColumn(lane, i === 0 ? 2 : 1));
  const names = Math.min(MAX_NAME, Math.max(8, widest(rows.map((row) => row.name), columns)));
  const layouts = [[ANSWER, MAKESPAN], [ANSWER], []].map((more) => layOut([...lanes, ...more], rows, names, columns));
  // On a narrow screen the name is worth more than the makespan, and the answer's status goes below.
  const layout = layouts.find(({ name }) => name === names) ?? layouts.at(-1);
  if (layout === undefined) return [];
  const { name, rest, shown } = layout;
  const heads = shown.map(({ column: { head, align, gap }, size }) => " ".repeat(gap) + pad(head, size, align)).join(
    "",
  );
  return [...Map.groupBy(rows, ({ crew }) => crew)].flatMap(([crew, own]): Line[] => [
    [[pad(crew, name + 2), "bold"], [heads, "dim"], [rest >= 18 ? "  failed → stands in" : "", "dim"]],
    ...own.flatMap((row) => rowLines(row, layout, columns)),
  ]);
}

const ANSWER: Column = { head: "answer", gap: 2, align: "left", cell: ({ answer }) => [answer, "plain"] };
const MAKESPAN: Column = { head: "ms", gap: 1, align: "right", cell: ({ makespan }) => [makespan, "plain"] };

function laneColumn(lane: LaneName, gap: number): Column {
  const cell: Column["cell"] = (row) => {
    const { text, worst = "dim" } = laneOutcome(row, lane, outcomeWord);
    return [text, worst];
  };
  return { head: lane, gap, align: "left", cell };
}

interface Layout {
  /** Width of the names. */
  readonly name: number;
  /** Width that is left for what failed. */
  readonly rest: number;
  readonly shown: readonly { readonly column: Column; readonly size: number }[];
}

function layOut(columns: readonly Column[], rows: readonly ScenarioRow[], names: number, room: number): Layout {
  const shown = columns.map((column) => ({
    column,
    size: Math.max(column.head.length, widest(rows.map((row) => column.cell(row)[0]), room)),
  }));
  const used = shown.reduce((sum, { column: { gap }, size }) => sum + gap + size, 2);
  const name = Math.max(8, Math.min(names, room - used));
  return { name, rest: room - used - name - 2, shown };
}

function rowLines(row: ScenarioRow, { name, rest, shown }: Layout, columns: number): Line[] {
  const cells = shown.flatMap(({ column: { cell, align, gap }, size }): Piece[] => {
    const [text, style] = cell(row);
    return [" ".repeat(gap), [pad(text, size, align), style]];
  });
  const head: Line = [`  ${pad(row.name, name)}`, ...cells];
  if (shown.some(({ column }) => column === ANSWER)) {
    const beside = [row.lost, row.lostBrief].find((text) => width(text) <= rest);
    if (beside !== undefined) return [[...head, `  ${beside}`]];
    return [head, ...below(row.lost, columns)];
  }
  if (row.lost === "" && (row.answer === "complete" || row.answer === "none")) return [head];
  return [head, ...below(row.lost === "" ? row.answer : `${row.answer}: ${row.lost}`, columns)];
}

function below(text: string, columns: number): Line[] {
  return wrapUpTo(3, text, columns - 6).map((line): Line => [`      ${line}`]);
}
