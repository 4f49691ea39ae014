/** A verdict as a comment on a pull request. */
import { count } from "../report/layout.ts";
import { code } from "../report/markdown.ts";
import { entriesOf } from "./entries.ts";
import type { Verdict } from "./verdict.ts";

/** Most entries that are listed, and most facts of one. */
const MAX_ENTRIES = 50;
const MAX_FACTS = 6;

/** Renders a verdict as Markdown (GitHub's). What is not the gate's own word stands in code, where it can do nothing. */
export function gateMarkdown(verdict: Verdict): string {
  const entries = entriesOf(verdict);
  const red = entries.filter(({ outcome }) => outcome !== "pass");
  const numberOf = (one: string) => entries.filter(({ outcome }) => outcome === one).length;
  const lines = [
    `## Brownout gate: ${red.length === 0 ? "pass" : "**red**"}`,
    "",
    `${count(verdict.results.length, "cell")} run; ${numberOf("pass")} pass, ${numberOf("fail")} fail, ${
      numberOf("error")
    } error.`,
  ];
  if (red.length > 0) lines.push("");
  for (const { name, outcome, facts, line } of red.slice(0, MAX_ENTRIES)) {
    const place = line === undefined || name.endsWith(`:${line}`) ? name : `${name}:${line}`;
    lines.push(`- ${outcome} ${code(place)}`, ...facts.slice(0, MAX_FACTS).map((fact) => `  - ${code(fact)}`));
    if (facts.length > MAX_FACTS) lines.push(`  - and ${facts.length - MAX_FACTS} more`);
  }
  if (red.length > MAX_ENTRIES) lines.push(`- and ${red.length - MAX_ENTRIES} more`);
  return `${lines.join("\n")}\n`;
}
