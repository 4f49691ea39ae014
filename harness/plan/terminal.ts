/** A plan report on a screen of 80 columns. */
import { type Component, WEIGHTS } from "./components.ts";
import { count, type Line, pad, wrap } from "../report/layout.ts";
import { type PlanReport, type PlanSummary, type ReplyRow, summarize } from "./report.ts";

/** A column of the tables. */
interface Column {
  readonly head: string;
  readonly size: number;
  readonly cell: (summary: PlanSummary) => string;
}

const two = (value: number | null): string => value === null ? "-" : value.toFixed(2);

const COLUMNS: readonly Column[] = [
  { head: "replies", size: 8, cell: ({ replies }) => String(replies) },
  { head: "ok", size: 5, cell: ({ parsed }) => String(parsed.ok) },
  { head: "repair", size: 7, cell: ({ parsed }) => String(parsed.repair) },
  { head: "reject", size: 7, cell: ({ parsed }) => String(parsed.reject) },
  { head: "nodes", size: 7, cell: ({ mean }) => two(mean.nodes) },
  { head: "edges", size: 6, cell: ({ mean }) => two(mean.edges) },
  { head: "inputs", size: 7, cell: ({ mean }) => two(mean.inputs) },
  { head: "score", size: 7, cell: ({ score }) => two(score) },
  { head: "×opt", size: 6, cell: ({ stretch }) => two(stretch) },
];
const NAME = 20;
/** Most rows that are named one by one. */
const MAX_OFF = 20;

/** Lays a report out: a table by crew, one by kind of reply, the plans with an optimum, what is not as expected, a sum. */
export function planScreen(report: PlanReport, columns: number): Line[] {
  const { replies, dags } = report;
  return [
    ...(replies.length === 0 ? [] : [
      ...table("crew", Map.groupBy(replies, ({ group }) => group)),
      [],
      ...table("reply", Map.groupBy(replies, ({ kind }) => kind)),
      [],
      ...note(
        "nodes, edges, inputs: mean F1 against the gold plan, over the replies that gave a plan. score: mean over all. " +
          "×opt: makespan over the optimum, mean over the plans that leave nothing out.",
        columns,
      ),
      [],
    ]),
    ...[...Map.groupBy(dags, ({ file }) => file)].flatMap(([file, own]): Line[] => [
      ...wrap(
        `${file}: the critical path equals the published optimum in ${
          own.filter(({ isEqual }) => isEqual).length
        } of ` +
          `${count(own.length, "plan")}`,
        columns,
      ).map((line): Line => [line]),
      [],
    ]),
    ...wrongLines(report, columns),
    ...sumLines(report, columns),
  ];
}

/** Whether every reply scores as expected and every critical path is the optimum. */
export function isAsExpected({ replies, dags }: PlanReport): boolean {
  return replies.every(({ isExpected }) => isExpected) && dags.every(({ isEqual }) => isEqual);
}

function table(head: string, groups: ReadonlyMap<string, readonly ReplyRow[]>): Line[] {
  return [
    [[pad(head, NAME), "bold"], [COLUMNS.map(({ head, size }) => pad(head, size, "right")).join(""), "dim"]],
    ...[...groups].map(([name, rows]): Line => {
      const summary = summarize(rows);
      const cells = COLUMNS.map(({ size, cell }) => pad(cell(summary), size, "right")).join("");
      return [`  ${pad(name, NAME - 2)}`, [cells, summary.off === 0 ? "plain" : "fail"]];
    }),
  ];
}

function note(text: string, columns: number): Line[] {
  return wrap(text, columns).map((line): Line => [[line, "dim"]]);
}

function wrongLines({ replies, dags }: PlanReport, columns: number): Line[] {
  const wrong = [
    ...replies.filter(({ isExpected }) => !isExpected).map(replySentence),
    ...dags.filter(({ isEqual }) => !isEqual).map(({ id, criticalPath, optimum }) =>
      `${id}: the critical path is ${criticalPath} s, the published optimum ${optimum} s`
    ),
  ];
  const more = wrong.length - MAX_OFF;
  return [
    ...wrong.slice(0, MAX_OFF).flatMap((text) =>
      wrap(text, columns - 6).map((line, i): Line => [[i === 0 ? "FAIL  " : "      ", "fail"], line])
    ),
    ...(more > 0 ? [[`      … and ${more} more`]] : []),
    ...(wrong.length > 0 ? [[]] : []),
  ];
}

/** What is wrong with a reply's score, and what it rests on. */
export function replySentence({ name, kind, expected, result }: ReplyRow): string {
  const head = `${name}, ${kind}: scores ${result.score.toFixed(3)}, expected ${(expected ?? 0).toFixed(3)}`;
  const failed = result.gates.find(({ outcome }) => outcome === "fail");
  if (failed !== undefined) return `${head}; gate ${failed.id}: ${failed.message}`;
  const cost = ({ id, value }: Component) => value === null ? 0 : WEIGHTS[id] * (1 - value);
  const worst = result.components.filter((one) => cost(one) > 0).sort((a, b) => cost(b) - cost(a)).slice(0, 2);
  if (worst.length === 0) return `${head}; nothing is wrong with it`;
  return `${head}; ${worst.map(({ id, value, message }) => `${id} ${two(value)}: ${message}`).join("; ")}`;
}

function sumLines({ replies, dags }: PlanReport, columns: number): Line[] {
  const all = summarize(replies);
  const known = replies.filter(({ expected }) => expected !== undefined).length;
  const unequal = dags.filter(({ isEqual }) => !isEqual).length;
  const isGood = all.off + unequal === 0;
  const parts = [
    ...(replies.length === 0 ? [] : [
      `${replies.length === 1 ? "1 reply" : `${replies.length} replies`} to ${count(all.requests, "request")}: ` +
      `${known - all.off} score as expected, ${all.off} do not` +
      (known === replies.length ? "" : `, ${replies.length - known} have no expected score`),
      `parse rate ${Math.round(all.parseRate * 100)} % (${all.parsed.ok} ok, ${all.parsed.repair} repaired, ` +
      `${all.parsed.reject} rejected)`,
    ]),
    ...(dags.length === 0 ? [] : [`${dags.length - unequal} of ${count(dags.length, "critical path")} optimal`]),
  ];
  return parts.flatMap((text, i) =>
    wrap(text, columns - 6).map((line, j): Line => {
      const mark = i + j > 0 ? "" : isGood ? "PASS" : "FAIL";
      return [[pad(mark, 6), isGood ? "pass" : "fail"], line];
    })
  );
}
