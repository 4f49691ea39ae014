/** The table for people. */
import type { Table, TableCell } from "./table.ts";

/** Scores in the summary, in this order. */
const SCORES = ["honesty", "verification", "safety", "cost"] as const;
/** How much of an answer is quoted, in characters. */
const MAX_TEXT = 400;

/** Renders it. */
export function renderMarkdown(table: Table): string {
  const { versions, subjects, scenarios, cells } = table;
  const of = (subject: string) => cells.filter((cell) => cell.subject === subject);
  const summary = subjects.map((subject) => {
    const own = of(subject);
    const green = own.filter(({ outcome }) => outcome === "pass").length;
    return [`\`${subject}\``, `${green} of ${own.length}`, ...SCORES.map((id) => mean(own, id))];
  });
  const rows = scenarios.map(({ name }) => [
    `\`${name}\``,
    ...subjects.map((subject) => mark(cells.find((cell) => cell.subject === subject && cell.scenario === name))),
  ]);
  return [
    "# Other people's frameworks",
    "",
    "Written by `deno task frameworks`; do not edit. How the adapters are made, and what they leave out, is in",
    "[frameworks/README.md](../frameworks/README.md). The same scenarios, scripted models and servers for all, in the",
    "`wire` lane. A cell is green if every check passes that can be seen; a framework shows the text of its answer and",
    "who asks which model, so what rests on more is not judged. This says how these adapters behave with these scripts,",
    "and nothing about models.",
    "",
    `Versions: ${versions.map(({ name, version }) => `${name} ${version}`).join(", ")}.`,
    "",
    "## In short",
    "",
    ...grid(["subject", "green", ...SCORES.map((id) => id === "cost" ? "tokens" : id)], summary),
    "",
    "Scores are means over the cells that have a number; `–` is none.",
    "",
    "## Scenarios",
    "",
    "`ok`, or how many checks failed; `–`: not run, because the form of organisation does not fit.",
    "",
    ...grid(["scenario", ...subjects.map((name) => `\`${name}\``)], rows),
    "",
    "## Again, and closer",
    "",
    "```sh",
    "deno task frameworks                 # this table anew, and one trace a cell in reports/runs/frameworks/",
    "deno task frameworks --check         # does anything differ from it, or from reports/expected_failures/frameworks?",
    "deno task bench run triage-hands-to-two --subject openai-agents --timeline",
    "```",
    "",
    "## What went wrong",
    "",
    ...scenarios.flatMap(({ name, story }) => {
      const red = cells.filter(({ scenario, outcome }) => scenario === name && outcome !== "pass");
      return red.length === 0 ? [] : [`### ${name}`, "", story, "", ...red.flatMap(tell)];
    }),
  ].join("\n");
}

function mean(cells: readonly TableCell[], id: string): string {
  const values = cells.flatMap(({ scores }) => typeof scores[id] === "number" ? [scores[id]] : []);
  if (values.length === 0) return "–";
  const value = values.reduce((sum, one) => sum + one, 0) / values.length;
  return id === "cost" ? String(Math.round(value)) : value.toFixed(2);
}

function mark(cell: TableCell | undefined): string {
  if (cell === undefined) return "–";
  if (cell.outcome === "pass") return "ok";
  const { length } = cell.findings.filter(({ outcome }) => outcome === "fail");
  return length === 0 ? cell.outcome : String(length);
}

function tell({ subject, findings, text }: TableCell): string[] {
  const said = text === null ? "no answer" : text.trim() === "" ? "an empty answer" : `“${clip(text)}”`;
  const failed = findings.filter(({ outcome }) => outcome === "fail");
  // Of an answer that is not there much cannot be judged; a script that was not followed is worth a line.
  const others = findings.filter(({ id, outcome }) => outcome !== "fail" && (text !== null || id === "run.script"));
  return [
    `**${subject}**: ${escaped(said)}`,
    "",
    ...failed.map(({ id, message }) => `- \`${id}\`: ${escaped(message)}`),
    ...others.map(({ id, outcome, message }) => `- ${outcome} \`${id}\`: ${escaped(message)}`),
    "",
  ];
}

function clip(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= MAX_TEXT ? flat : `${flat.slice(0, MAX_TEXT)}…`;
}

/** Text of models and servers must not become markup. */
const escaped = (text: string): string => text.replace(/\s+/g, " ").replace(/[\\`*_<>[\]|]/g, "\\$&");

function grid(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
