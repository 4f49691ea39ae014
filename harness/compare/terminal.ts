/** A comparison on one screen, readable at 80 columns and without colour. */
import { count, draw, flow, type Line, pad, type Screen, type Style, wrap } from "../report/layout.ts";
import type { Change, Comparison } from "./compare.ts";
import type { Flaky } from "./flaky.ts";
import { number, probability, signed } from "./format.ts";
import type { Trials } from "./pass_k.ts";
import { type CompareReport, costLine } from "./report.ts";
import type { CompareVerdict, Row } from "./verdict.ts";

/** Most entries of a list; the rest is counted, and whole in the JSON. */
const MAX_LISTED = 12;
const MIN_COLUMNS = 40;

/** Renders all comparisons, one after the other. */
export function renderCompareTerminal({ comparisons, costs = [] }: CompareReport, screen: Screen): string {
  const wide = { ...screen, columns: Math.max(MIN_COLUMNS, screen.columns) };
  const paid = costs.flatMap((cost) => wrap(costLine(cost), wide.columns)).map((line) => `${line}\n`).join("");
  return comparisons.map((one) =>
    blocks(one, wide.columns).filter((block) => block.length > 0)
      .map((block) => block.map((line) => `${draw(line, wide)}\n`).join("")).join("\n")
  ).join("\n\n") + (paid === "" ? "" : `\n${paid}`);
}

function blocks(comparison: Comparison, columns: number): Line[][] {
  const { a, b, verdict, message, notes, rows, changed, excluded, onlyA, onlyB, flaky, pairs } = comparison;
  const red = changed.filter((one) => one.b === "fail");
  const green = changed.filter((one) => one.b === "pass");
  return [
    [
      [["A  ", "bold"], a, ["  baseline", "dim"]],
      [["B  ", "bold"], b, ["  compared with it", "dim"]],
      [`   ${count(pairs, "pair")}, ${onlyA.length} only in A, ${onlyB.length} only in B`],
    ],
    [
      [[word(verdict), style(verdict)]],
      ...wrap(message, columns - 2).map((line): Line => [`  ${line}`]),
      ...notes.flatMap((note) => wrap(note, columns - 4).map((line, i): Line => [i === 0 ? "  - " : "    ", line])),
    ],
    table(rows, columns),
    passK(comparison, columns),
    list("Turned red", red.map(changeText), columns),
    list("Turned green", green.map(changeText), columns),
    list("Repeats disagree", flaky.map(flakyText), columns),
    list("Not among the verdicts: an error, or untestable", excluded.map(excludedText), columns),
    list("Only in A", onlyA, columns),
    list("Only in B", onlyB, columns),
  ];
}

function table(rows: readonly Row[], columns: number): Line[] {
  const line = (name: string, cells: readonly string[]): string =>
    pad(name, 12) + cells.map((cell, i) => pad(cell, [6, 7, 6, 7, 7, 7, 7][i] ?? 7, "right")).join("");
  return [
    [[line("score", ["pairs", "better", "worse", "A", "B", "B - A", "p"]), "dim"], ["  verdict", "dim"]],
    ...rows.flatMap((row): Line[] => {
      const { scorer, n, better, worse, a, b, difference, adjusted, verdict } = row;
      const numbers = [
        `${n}`,
        `${better}`,
        `${worse}`,
        number(a),
        number(b),
        signed(difference),
        probability(adjusted),
      ];
      return [
        [line(scorer, numbers), "  ", [word(verdict), style(verdict)]],
        ...flow(details(row), ", ", columns - 14).map((text): Line => [" ".repeat(14), [text, "dim"]]),
      ];
    }),
    ...wrap(
      "A and B are means, of verdicts the share that passes; p is after Holm over the scores. The interval holds the " +
        "difference in 95 of 100 comparisons; what is detectable would be shown four times in five.",
      columns,
    ).map((text): Line => [[text, "dim"]]),
  ];
}

/** What stands below a row: what a table of 80 columns has no room for. */
function details({ interval, detectable, excluded, unit }: Row): string[] {
  return [
    ...(interval === null ? [] : [intervalText(interval)]),
    ...(detectable === null ? [] : [`detectable ${number(detectable)}`]),
    ...(excluded === 0 ? [] : [`${count(excluded, "pair")} left out`]),
    ...(unit === "ratio" ? [] : [`${unit}, less is better`]),
  ];
}

function intervalText([lower, upper]: readonly [number, number]): string {
  return lower === upper ? "the same in every pair" : `95% interval ${signed(lower)} to ${signed(upper)}`;
}

function passK({ passK }: Comparison, columns: number): Line[] {
  const parts = passK.map(({ k, a, b }) => `pass^${k} ${number(a)} → ${number(b)}`);
  const groups = passK[0]?.groups ?? 0;
  return parts.length === 0
    ? []
    : flow([...parts, `over ${count(groups, "scenario")}, seeds and repeats as trials`], "   ", columns).map((one) => [
      one,
    ]);
}

function list(title: string, entries: readonly string[], columns: number): Line[] {
  if (entries.length === 0) return [];
  const left = entries.length - MAX_LISTED;
  return [
    [[`${title} (${entries.length})`, "bold"]],
    ...entries.slice(0, MAX_LISTED).flatMap((entry) =>
      wrap(entry, columns - 4).map((text, i): Line => [`${i === 0 ? "  " : "    "}${text}`])
    ),
    ...(left > 0 ? [[[`  … and ${left} more; all are in the JSON`, "dim"]] as const] : []),
  ];
}

function changeText({ id, checks }: Change): string {
  const shown = checks.slice(0, 3).map(({ id, a, b }) => `${id} ${a ?? "none"} → ${b ?? "none"}`);
  if (checks.length > 3) shown.push(`and ${checks.length - 3} more checks`);
  return shown.length === 0 ? id : `${id}: ${shown.join(", ")}`;
}

function excludedText({ id, a, b }: Change): string {
  return `${id}: A ${a}, B ${b}`;
}

function flakyText({ id, a, b }: Flaky): string {
  const told = (side: string, trials?: Trials) =>
    trials === undefined ? [] : [`${side} ${trials.passed} of ${trials.n}`];
  return `${id}: passed in ${[...told("A", a), ...told("B", b)].join(", ")}`;
}

/** A verdict as a screen shows it: what asks for a decision stands out without colour too. */
function word(verdict: CompareVerdict): string {
  return verdict === "worse" || verdict === "flaky" ? verdict.toUpperCase() : verdict;
}

function style(verdict: CompareVerdict): Style {
  switch (verdict) {
    case "better":
      return "pass";
    case "worse":
      return "fail";
    case "flaky":
      return "untestable";
    default:
      return "plain";
  }
}
