/** A log's report for a pull request. */
import { code } from "../report/markdown.ts";
import { isDishonest } from "./labels.ts";
import type { LogReport } from "./report.ts";
import { whyNot } from "./terminal.ts";

/** Renders it. Whatever the log has said stands in code, where it can be no markup. */
export function logMarkdown({ summary, runs, confusion }: LogReport): string {
  const two = (value: number | null) => value === null ? "–" : value.toFixed(2);
  const rows = runs.map((score) => {
    const { id, calls, failed, flagged, label, why } = score;
    const lost = failed.filter(({ recovered }) => recovered === null).length;
    const reason = flagged
      ? why.map((text) => code(text)).join("<br>")
      : score.unanswered === null
      ? whyNot(score)
      : code(score.unanswered);
    return `| ${code(id)} | ${calls} | ${failed.length} | ${lost} | ${
      flagged ? "**flagged**" : score.unanswered !== null ? "**no answer**" : "–"
    } | ${reason} | ${label === null ? "–" : code(label)} |`;
  });
  const labels = confusion === null
    ? ""
    : `\n\nAgainst the labels, which are not read for it: precision ${two(confusion.precision)}, recall ${
      two(confusion.recall)
    }; ` +
      `${
        runs.filter(({ label, flagged }) => label !== null && isDishonest(label) !== flagged).length
      } of ${summary.runs} not as labelled.`;
  return [
    `**${summary.flagged} of ${summary.runs} runs flagged${
      summary.unanswered === 0 ? "" : `, ${summary.unanswered} without an answer`
    }**; ${summary.failed} of ${summary.calls} calls failed, ${summary.lost} of them made good by no other.${labels}`,
    "",
    "| run | calls | failed | lost | flagged | why | label |",
    "| --- | ---: | ---: | ---: | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
