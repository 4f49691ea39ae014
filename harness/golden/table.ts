/** The table of all goldens, for people: `reports/golden/README.md`. */
import { oneLine } from "../../core/mod.ts";
import { cellName } from "./compare.ts";
import type { Golden, GoldenCell } from "./schema.ts";

/** Renders the table. The goldens' order does not matter. */
export function renderTable(goldens: readonly Golden[]): string {
  const sorted = goldens.toSorted((a, b) => order(a.crew, b.crew) || order(a.scenario, b.scenario));
  const cells = sorted.flatMap((golden) => golden.cells);
  const scores = [...new Set(cells.flatMap(({ scores }) => Object.keys(scores)))].sort();
  const byCrew = Map.groupBy(sorted, ({ crew }) => crew);
  return [
    "# Golden reports",
    "",
    "What the reference orchestrator comes to in each scenario, in the `sim` lane with seed 0. `deno task golden` writes",
    "this folder, `deno task gate` compares a fresh run with it; nothing here is written by hand. Times are virtual",
    "milliseconds. Variants that a word stands for, such as `all-faults`, have no goldens: they are judged by what holds",
    "in every run.",
    "",
    `${count(sorted.length, "scenario")}, ${count(cells.length, "cell")}, ` +
    `${count(cells.reduce((sum, { checks }) => sum + checks.count, 0), "check")}.`,
    ...[...byCrew].flatMap(([crew, own]) => ["", `## ${crew}`, "", ...table(own, scores)]),
    "",
  ].join("\n");
}

function table(goldens: readonly Golden[], scores: readonly string[]): string[] {
  const heads = ["scenario", "outcome", "answer", "ms", "failed → stands in", ...scores, "checks", "events", "trace"];
  const right = new Set(["ms", ...scores, "checks", "events"]);
  return [
    row(heads),
    row(heads.map((head) => right.has(head) ? "--:" : "---")),
    ...goldens.flatMap(({ scenario, crew, cells }) =>
      cells.map((cell) => {
        const name = cellName(scenario, cell.variant);
        return row([
          cell.variant === null ? `[${name}](${crew}/${scenario}.json)` : escape(name),
          cell.outcome,
          cell.answer?.status ?? "none",
          cell.makespan === null ? "-" : String(cell.makespan),
          escape(cell.lost),
          ...scores.map((id) => scoreOf(cell, id)),
          String(cell.checks.count),
          String(cell.trace.events.reduce((sum, line) => sum + line.split(" ").length, 0)),
          `\`${cell.trace.sha256.slice(0, 8)}\``,
        ]);
      })
    ),
  ];
}

function scoreOf({ scores }: GoldenCell, id: string): string {
  const value = Object.hasOwn(scores, id) ? scores[id]?.value ?? null : null;
  return value === null ? "-" : String(Math.round(value * 100) / 100);
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const escape = (text: string): string => oneLine(text).replace(/[\\|`*<>[\]]/g, "\\$&");
const order = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
