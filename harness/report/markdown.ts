/** The report as a comment on a pull request. */
import { clip, oneLine } from "../../core/mod.ts";
import { judgedWords } from "../judge/judged.ts";
import type { Outcome } from "../score/check.ts";
import { PHASES } from "./coverage.ts";
import { crewScores, worstName } from "./crew_scores.ts";
import { partialWords } from "./early_end.ts";
import { type Finding, readFindings } from "./findings.ts";
import { givenCells } from "./given.ts";
import { reliabilityTable } from "./reliability_lines.ts";
import type { RunReport } from "./report.ts";
import { laneOutcome, lanesOf, scenarioRows } from "./rows.ts";
import { isPerfect, scoreText, UNIT_WORDS } from "./score_words.ts";

const MAX_FINDINGS = 50;
const MAX_ROWS = 200;
const KINDS = ["pass", "fail", "error", "untestable"] as const satisfies readonly Outcome[];

/** Renders a report as Markdown (GitHub's). Whatever is not the bench's own word stands in code, where it can do nothing. */
export function renderMarkdown(report: RunReport): string {
  const findings = readFindings(report);
  return [
    [`## Brownout: ${bold(report.outcome)}${report.partial === undefined ? "" : `, ${partialWords(report.partial)}`}`],
    [
      `| | ${KINDS.join(" | ")} |`,
      `|---|${KINDS.map(() => "---:").join("|")}|`,
      ...(["cells", "checks"] as const).map((what) =>
        `| ${what} | ${KINDS.map((kind) => report.summary[what][kind]).join(" | ")} |`
      ),
    ],
    ...reviews(report),
    findingList(findings),
    scores(report),
    judgeLine(report),
    reliabilityTable(report),
    table(report),
    coverage(report),
  ].filter((block) => block.length > 0).map((block) => `${block.join("\n")}\n`).join("\n");
}

/** Answers about what the user has given, whole. */
function reviews(report: RunReport): string[][] {
  return givenCells(report).map(({ given, answer }) => {
    // Longer than any fence in it.
    const fence = "`".repeat(Math.max(3, ...(answer.text.match(/`+/g) ?? []).map((ticks) => ticks.length + 1)));
    return [`Answer about ${code(Object.values(given).join(", "))}:`, "", `${fence}text`, answer.text, fence];
  });
}

/** What a judge says, apart from all that counts. */
function judgeLine({ judged }: RunReport): string[] {
  if (judged === undefined) return [];
  const { name, words } = judgedWords(judged);
  return [`Judge ${code(name)}: ${words}.`];
}

/** The scores of each crew; intervals where something was tried twice. */
function scores(report: RunReport): string[] {
  const rows = crewScores(report);
  if (rows.length === 0) return [];
  const hasIntervals = rows.some(({ spread }) => spread.interval !== null);
  const interval = (text: string) => hasIntervals ? ` ${text} |` : "";
  return [
    `| score | crew | mean |${interval("95 % interval")} worst | in |`,
    `|---|---|---:|${hasIntervals ? "---|" : ""}---:|---|`,
    ...rows.slice(0, MAX_ROWS).map(({ crew, spread }) => {
      const { id, unit, mean, worst } = spread;
      const ends = spread.interval === null ? "-" : spread.interval.map((end) => scoreText(end, unit)).join(" to ");
      const name = UNIT_WORDS[unit] === "" ? id : `${id} (${UNIT_WORDS[unit]})`;
      // That everything has it in full needs no name.
      const where = isPerfect(worst, unit) ? "" : code(worstName(spread));
      return `| ${code(name)} | ${code(crew)} | ${scoreText(mean, unit)} |${interval(ends)} ${
        scoreText(worst, unit)
      } | ${where} |`;
    }),
  ];
}

function table(report: RunReport): string[] {
  const rows = scenarioRows(report);
  if (rows.length === 0) return [];
  const lanes = lanesOf(report);
  const left = rows.length - MAX_ROWS;
  return [
    `| crew | scenario | ${lanes.map((lane) => `${lane} | `).join("")}answer | sim ms | failed → stands in |`,
    `|---|---|${lanes.map(() => "---|").join("")}---|---:|---|`,
    ...rows.slice(0, MAX_ROWS).map((row) => {
      const outcomes = lanes.map((lane) => laneOutcome(row, lane, bold).text);
      const lost = row.lost === "" ? "" : `${code(row.lost)} `;
      return `| ${[code(row.crew), code(row.name), ...outcomes, row.answer, row.makespan].join(" | ")} | ${lost}|`;
    }),
    ...(left > 0 ? ["", `… and ${left} more.`] : []),
  ];
}

/** Fault × crew, with the phases beside each other: in how many cells it struck, of how many that had it. */
function coverage({ coverage }: RunReport): string[] {
  if (coverage.length === 0) return [];
  const phases = PHASES.filter((phase) => coverage.some((row) => row.phase === phase));
  const rows = [...Map.groupBy(coverage, ({ crew, fault }) => JSON.stringify([crew, fault])).values()];
  const left = rows.length - MAX_ROWS;
  return [
    `<details><summary>Faults: ${new Set(coverage.map(({ fault }) => fault)).size}</summary>`,
    "",
    "In how many cells each struck, of those that had it.",
    "",
    `| layer | fault | crew | ${phases.join(" | ")} |`,
    `|---|---|---|${phases.map(() => "---:|").join("")}`,
    ...rows.slice(0, MAX_ROWS).map((own) => {
      const [{ layer = "", fault = "", crew = "" } = {}] = own;
      const cells = phases.map((phase) => {
        const row = own.find((one) => one.phase === phase);
        if (row === undefined) return "";
        const text = `${row.fired} of ${row.declared}`;
        return row.fired < row.declared ? `**${text}**` : text;
      });
      return `| ${[code(layer), code(fault), code(crew), ...cells].join(" | ")} |`;
    }),
    ...(left > 0 ? ["", `… and ${left} more.`] : []),
    "",
    "</details>",
  ];
}

function findingList(findings: readonly Finding[]): string[] {
  const left = findings.length - MAX_FINDINGS;
  return [
    ...findings.slice(0, MAX_FINDINGS).map(({ outcome, check, cells, message, evidence }) => {
      const where = cells.length === 0
        ? "the run"
        : cells.slice(0, 6).map(code).join(", ") + (cells.length > 6 ? ", …" : "");
      const events = evidence.length === 0 ? "" : ` (events ${evidence.slice(0, 12).join(", ")})`;
      return `- ${bold(outcome)} ${code(check)} in ${where}: ${code(message)}${events}`;
    }),
    ...(left > 0 ? [`- … and ${left} more, in the JSON report`] : []),
  ];
}

const bold = (outcome: Outcome): string => outcome === "pass" ? "pass" : `**${outcome}**`;

/**
 * A text as code: no link, mention, image, reference or markup in it works. A backtick could end the code, a pipe the
 * table's cell, a backslash could undo the escape of either; a text with such has all its punctuation as entities.
 */
export function code(text: string): string {
  const clean = clip(oneLine(text.slice(0, 2000)), 300).replace(/ +/g, " ").trim();
  if (clean === "") return "(empty)";
  if (!/[`|\\]/.test(clean)) return `\`${clean}\``;
  return `<code>${clean.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
}
