/** A comparison as a comment on a pull request. */
import { count } from "../report/layout.ts";
import { code } from "../report/markdown.ts";
import type { Change, Comparison } from "./compare.ts";
import { number, probability, signed } from "./format.ts";
import { type CompareReport, costLine } from "./report.ts";

/** Most entries of a list; the rest is counted, and whole in the JSON. */
const MAX_LISTED = 50;

/** Renders all comparisons as Markdown (GitHub's). Names from a report stand in code, where they can do nothing. */
export function renderCompareMarkdown({ comparisons, costs = [] }: CompareReport): string {
  return [...comparisons.flatMap(blocks), costs.map((cost) => `- ${code(costLine(cost))}`)].filter((block) =>
    block.length > 0
  ).map((block) => `${block.join("\n")}\n`).join(
    "\n",
  );
}

function blocks(comparison: Comparison): string[][] {
  const { a, b, verdict, message, notes, rows, changed, excluded, onlyA, onlyB, flaky, passK, pairs } = comparison;
  return [
    [`## Brownout: ${verdict === "worse" || verdict === "flaky" ? `**${verdict}**` : verdict}`],
    [`A (baseline): ${code(a)}, B: ${code(b)}; ${count(pairs, "pair")}.`],
    [`${message}.`],
    notes.map((note) => `- ${note}`),
    [
      "| score | pairs | better | worse | A | B | B - A | 95% interval | p (Holm) | detectable | verdict |",
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
      ...rows.map((row) => {
        const interval = row.interval === null ? "-" : `${signed(row.interval[0])} to ${signed(row.interval[1])}`;
        const cells = [
          code(row.scorer),
          row.n,
          row.better,
          row.worse,
          number(row.a),
          number(row.b),
          signed(row.difference),
          interval,
          probability(row.adjusted),
          number(row.detectable),
          row.verdict === "worse" ? "**worse**" : row.verdict,
        ];
        return `| ${cells.join(" | ")} |`;
      }),
    ],
    passK.map(({ k, a, b, groups }) => `pass^${k}: ${number(a)} → ${number(b)} over ${count(groups, "scenario")}  `),
    list("Turned red", changed.filter((one) => one.b === "fail").map(changeText)),
    list("Turned green", changed.filter((one) => one.b === "pass").map(changeText)),
    list(
      "Repeats disagree",
      flaky.map(({ id, a, b }) => `${code(id)}: passed in A ${ratio(a)}, in B ${ratio(b)}`),
    ),
    list("Not among the verdicts", excluded.map(({ id, a, b }) => `${code(id)}: A ${a}, B ${b}`)),
    list("Only in A", onlyA.map(code)),
    list("Only in B", onlyB.map(code)),
  ];
}

function ratio(trials: { readonly n: number; readonly passed: number } | undefined): string {
  return trials === undefined ? "-" : `${trials.passed} of ${trials.n}`;
}

function changeText({ id, checks }: Change): string {
  const shown = checks.slice(0, 5).map((one) => `${code(one.id)} ${one.a ?? "none"} → ${one.b ?? "none"}`);
  const more = checks.length > 5 ? `, and ${checks.length - 5} more` : "";
  return shown.length === 0 ? code(id) : `${code(id)}: ${shown.join(", ")}${more}`;
}

function list(title: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const left = entries.length - MAX_LISTED;
  return [
    `<details><summary>${title} (${entries.length})</summary>`,
    "",
    ...entries.slice(0, MAX_LISTED).map((entry) => `- ${entry}`),
    ...(left > 0 ? [`- … and ${left} more, in the JSON`] : []),
    "",
    "</details>",
  ];
}
