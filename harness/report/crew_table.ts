/** A run at a glance: how many cells of each outcome, by crew and lane, and what is not green by name. */
import { type Outcome, tally } from "../score/check.ts";
import { digestOf } from "./digest.ts";
import type { CellBrief } from "./gist.ts";
import { count, fit, flow, type Line, outcomeWord, pad, type Piece, widest, wrap } from "./layout.ts";
import type { RunReport } from "./report.ts";
import { lanesOf, rowName } from "./rows.ts";

/** Most scenarios that are named because they are not green. */
const MAX_RED = 12;
const KINDS = ["pass", "fail", "error", "untestable"] as const satisfies readonly Outcome[];

interface Group {
  readonly crew: string;
  readonly lane: string;
  readonly scenarios: number;
  readonly counts: Readonly<Record<Outcome, number>>;
}

/** Lays the table out. The four outcomes are never added up. */
export function crewTable(report: RunReport, columns: number): Line[] {
  const lanes = lanesOf(report);
  const groups = [...Map.groupBy(digestOf(report).briefs, ({ crew }) => crew)].flatMap(([crew, own]) =>
    lanes.flatMap((lane): Group[] => {
      const cells = own.filter(({ cell }) => cell.lane === lane);
      if (cells.length === 0) return [];
      const counts = tally(cells.map(({ outcome }) => outcome));
      return [{ crew, lane, scenarios: new Set(cells.map(rowName)).size, counts }];
    })
  );
  const name = Math.max(4, widest(groups.map(({ crew }) => crew), 24));
  const sizes = [4, 9, 4, 4, 5, 10];
  const width = name + sizes.reduce((sum, size) => sum + size + 2, 0);
  const table = width > columns ? groups.flatMap((group) => narrow(group, columns)) : [
    [[
      [
        pad("crew", name),
        ...["lane", "scenarios", ...KINDS].map((head, i) => pad(head, sizes[i] ?? 0, i ? "right" : "left")),
      ]
        .join("  "),
      "bold",
    ]] as const,
    ...groups.map((group, i): Line => {
      const isSame = groups[i - 1]?.crew === group.crew;
      return [
        pad(isSame ? "" : group.crew, name),
        `  ${pad(group.lane, 4)}  ${pad(String(group.scenarios), 9, "right")}`,
        ...KINDS.flatMap((kind, j): Piece[] => ["  ", numberOf(group.counts[kind], kind, sizes[j + 2] ?? 0)]),
      ];
    }),
  ];
  return [...table, ...redLines(digestOf(report).briefs, columns)];
}

/** A number that stands out where it should be 0 and is not. */
function numberOf(n: number, kind: Outcome, size: number): Piece {
  return [pad(String(n), size, "right"), n === 0 ? "dim" : kind];
}

function narrow({ crew, lane, counts }: Group, columns: number): Line[] {
  return flow([`${fit(crew, columns)} ${lane}:`, ...KINDS.map((kind) => `${counts[kind]} ${kind}`)], " ", columns)
    .map((line): Line => [line]);
}

/** Scenarios that are not green, each once, with the worst that came of them. */
function redLines(cells: readonly CellBrief[], columns: number): Line[] {
  const worst = new Map<string, Outcome>();
  for (const outcome of ["error", "fail", "untestable"] as const) {
    for (const cell of cells.filter((one) => one.outcome === outcome)) {
      const name = rowName(cell);
      if (!worst.has(name)) worst.set(name, outcome);
    }
  }
  const named = [...worst].slice(0, MAX_RED);
  const left = worst.size - named.length;
  return [
    ...named.flatMap(([name, outcome]) => {
      const word = outcomeWord(outcome);
      return wrap(name, columns - word.length - 4).slice(0, 3).map((line, i): Line => [
        "  ",
        [i === 0 ? word : "".padEnd(word.length), outcome],
        `  ${line}`,
      ]);
    }),
    ...(left === 0 ? [] : [[[`  … and ${count(left, "more scenario")} not green`, "dim"]] as const]),
  ];
}
