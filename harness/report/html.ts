/** The report as one page of HTML that needs nothing else: no script, no font, no request. */
import { createHash } from "node:crypto";
import { clip, printable } from "../../core/mod.ts";
import { type Check, type Outcome, tally } from "../score/check.ts";
import { crewScores, worstName } from "./crew_scores.ts";
import { digestOf } from "./digest.ts";
import { partialWords } from "./early_end.ts";
import { readFindings } from "./findings.ts";
import { STYLE } from "./html_style.ts";
import { describeLost, lostParts } from "./lost.ts";
import type { CellReport, RunReport } from "./report.ts";
import { rowName } from "./rows.ts";
import { isPerfect, scoreText, UNIT_WORDS } from "./score_words.ts";

const KINDS = ["pass", "fail", "error", "untestable"] as const satisfies readonly Outcome[];
const MAX_FINDINGS = 50;
/** Longest text of a check or an answer that is shown, in UTF-16 units. */
const MAX_TEXT = 8000;

/**
 * HTML that may be written as it is. The only way to make it of a text is {@linkcode markup}, which escapes whatever is put
 * into it that is not such markup itself.
 */
class Markup {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

const NOTHING = new Markup("");

/** Renders a report as a page. The same report gives the same bytes. */
export function renderHtml(report: RunReport): string {
  return [...htmlChunks(report)].join("");
}

/** {@linkcode renderHtml}, cell by cell. */
export function* htmlChunks(report: RunReport): Generator<string> {
  const { outcome, summary, cells, run, partial } = report;
  const hash = createHash("sha256").update(STYLE).digest("base64");
  // Were a text of the page ever taken for markup, this would still keep it from running and from asking anybody anything.
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const sums = (["cells", "checks"] as const).map((what) => [what, ...KINDS.map((kind) => `${summary[what][kind]}`)]);
  yield markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Brownout: ${outcome}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<h1>Brownout: ${word(outcome)}${partial === undefined ? NOTHING : markup`, ${partialWords(partial)}`}</h1>
${table(["", ...KINDS], sums, "sums")}${findings(report)}${scores(report)}<h2>Cells</h2>
`.toString();
  if (cells.length === 0) yield "<p>None was run.</p>\n";
  else yield* cellTable(report);
  yield markup`${run.length === 0 ? NOTHING : markup`<h2>Checks of the run</h2>\n${checkList(run)}`}</body>
</html>
`.toString();
}

function findings(report: RunReport): Markup {
  const all = readFindings(report);
  if (all.length === 0) return NOTHING;
  const left = all.length - MAX_FINDINGS;
  const items = all.slice(0, MAX_FINDINGS).map(({ outcome, check, message, cells, evidence }) => {
    const some = cells.slice(0, 6).join(", ") + (cells.length > 6 ? ", …" : "");
    const where = cells.length === 0 ? "the run" : some;
    return markup`<li>${word(outcome)} <code>${check}</code> in ${where}: ${message}${events(evidence)}</li>\n`;
  });
  return markup`<h2>Findings</h2>\n<ul>\n${items}</ul>\n${
    left > 0 ? markup`<p>… and ${`${left}`} more.</p>\n` : NOTHING
  }`;
}

function scores(report: RunReport): Markup {
  const all = crewScores(report);
  if (all.length === 0) return NOTHING;
  const rows = all.map(({ crew, spread }) => {
    const { id, unit, mean, interval, worst, n, without } = spread;
    const name = UNIT_WORDS[unit] === "" ? id : `${id} (${UNIT_WORDS[unit]})`;
    const ends = interval === null ? "-" : interval.map((end) => scoreText(end, unit)).join(" to ");
    return [
      name,
      crew,
      scoreText(mean, unit),
      ends,
      scoreText(worst, unit),
      isPerfect(worst, unit) ? "" : worstName(spread),
      `${n} of ${n + without}`,
    ];
  });
  const heads = ["score", "crew", "mean", "95 % interval", "worst", "in", "cells that have it"];
  return markup`<h2>Scores</h2>\n${table(heads, rows, "scores")}`;
}

function* cellTable(report: RunReport): Generator<string> {
  const ids = [...new Set(digestOf(report).briefs.flatMap(({ scores }) => scores.map(({ id }) => id)))];
  const heads = ["crew", "scenario", "lane", "outcome", "answer", "ms", "failed → stands in", ...ids];
  const [before, after] = frame(heads, "cells");
  yield before.toString();
  for (const cell of report.cells) {
    const { crew, cell: { lane, repeat }, outcome, answer, isText, makespan } = cell;
    const numbers = ids.map((id) => {
      const score = cell.scores.find((one) => one.id === id);
      return markup`<td class="number">${score === undefined ? "-" : scoreText(score.value, score.unit)}</td>`;
    });
    const ms = markup`<td class="number">${makespan === undefined ? "-" : `${makespan}`}</td>`;
    const texts = [word(outcome), isText ? "text" : answer?.status ?? "none"].map((text) => markup`<td>${text}</td>`);
    const lost = markup`<td>${describeLost(lostParts(cell))}</td>`;
    yield markup`<tr><td>${crew}</td><th scope="row">${
      repeat === 1 ? rowName(cell) : `${rowName(cell)}, repeat ${repeat}`
    }</th><td>${lane}</td>${texts}${ms}${lost}${numbers}</tr>
<tr class="more"><td colspan="${`${heads.length}`}">${details(cell)}</td></tr>
`.toString();
  }
  yield after.toString();
}

/** What is folded away; what is not green is open. */
function details({ story, outcome, checks, scores, answer }: CellReport): Markup {
  const counts = tally(checks.map((check) => check.outcome));
  const summary = KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`).join(", ");
  const open = outcome === "pass" ? NOTHING : new Markup(" open");
  const told = scores.map(({ id, value, unit, message }) =>
    markup`<li><b>${id} ${scoreText(value, unit)}</b> ${message}</li>\n`
  );
  const said = answer === undefined ? markup`<p>There is no answer.</p>` : markup`<pre>${answer.text}</pre>`;
  return markup`<details${open}><summary>${summary}</summary>
<p>${story}</p>
${told.length === 0 ? NOTHING : markup`<ul>\n${told}</ul>\n`}${checkList(checks)}${said}
</details>`;
}

/** Those that are not green come first. */
function checkList(checks: readonly Check[]): Markup {
  const isGreen = ({ outcome }: Check) => outcome === "pass";
  const items = [...checks.filter((one) => !isGreen(one)), ...checks.filter(isGreen)].map((one) => {
    const { id, outcome, message, evidence } = one;
    return markup`<li>${word(outcome)} <code>${id}</code> ${message}${isGreen(one) ? "" : events(evidence)}</li>\n`;
  });
  return markup`<ul>\n${items}</ul>\n`;
}

function events(evidence: readonly number[]): string {
  if (evidence.length === 0) return "";
  return ` (events ${evidence.slice(0, 12).join(", ")}${evidence.length > 12 ? ", …" : ""})`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], name: string): Markup {
  const lines = rows.map(([first = "", ...rest]) =>
    markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`
  );
  const [before, after] = frame(heads, name);
  return markup`${before}${lines}${after}`;
}

/** What stands before and after the rows of a table that scrolls by itself where the screen is narrow. */
function frame(heads: readonly string[], name: string): [before: Markup, after: Markup] {
  const before = markup`<div class="wide"><table class="${name}">
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
`;
  return [before, new Markup("</tbody>\n</table></div>\n")];
}

/** An outcome, told by word and by colour. */
function word(outcome: Outcome): Markup {
  return markup`<span class="outcome ${outcome}">${outcome}</span>`;
}

type Part = string | Markup | readonly Markup[];

/** Not named after the language: the formatter would lay out what is in it, and change what it says. */
function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((out, text, i) => out + show(parts[i - 1] ?? "") + text));
}

function show(part: Part): string {
  if (part instanceof Markup) return part.toString();
  return typeof part === "string" ? escape(part) : part.join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What would be taken for markup as entities, and what would hide or turn the text around as what it is. */
function escape(text: string): string {
  return printable(clip(text, MAX_TEXT)).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}
