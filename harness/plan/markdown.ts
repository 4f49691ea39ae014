/** A plan report for a pull request. */
import { oneLine } from "../../core/mod.ts";
import { type PlanReport, type PlanSummary, summarize } from "./report.ts";
import { replySentence } from "./terminal.ts";

/** Renders a report: a table by crew, one by kind of reply, and what is not as expected. */
export function planMarkdown({ replies, dags }: PlanReport): string {
  const wrong = [
    ...replies.filter(({ isExpected }) => !isExpected).map(replySentence),
    ...dags.filter(({ isEqual }) => !isEqual).map(({ id, criticalPath, optimum }) =>
      `${id}: the critical path is ${criticalPath} s, the published optimum ${optimum} s`
    ),
  ];
  const lines = [
    "# Plans",
    "",
    ...(replies.length === 0 ? [] : [
      ...table("crew", [...Map.groupBy(replies, ({ group }) => group)].map(([name, rows]) => [name, summarize(rows)])),
      "",
      ...table("reply", [...Map.groupBy(replies, ({ kind }) => kind)].map(([name, rows]) => [name, summarize(rows)])),
      "",
    ]),
    ...[...Map.groupBy(dags, ({ file }) => file)].flatMap(([file, own]) => [
      `${cell(file)}: the critical path equals the published optimum in ${
        own.filter(({ isEqual }) => isEqual).length
      } ` +
      `of ${own.length} plans.`,
      "",
    ]),
    ...(wrong.length === 0 ? ["Everything is as expected."] : wrong.map((text) => `- ${cell(text)}`)),
  ];
  return `${lines.join("\n")}\n`;
}

function table(head: string, rows: readonly (readonly [string, PlanSummary])[]): string[] {
  const two = (value: number | null) => value === null ? "-" : value.toFixed(2);
  return [
    `| ${head} | replies | ok | repair | reject | nodes | edges | inputs | score | makespan / optimum | off |`,
    `| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |`,
    ...rows.map(([name, { replies, parsed, mean, score, stretch, off }]) =>
      `| ${
        [
          cell(name),
          replies,
          parsed.ok,
          parsed.repair,
          parsed.reject,
          two(mean.nodes),
          two(mean.edges),
          two(mean.inputs),
          two(score),
          two(stretch),
          off,
        ].join(" | ")
      } |`
    ),
  ];
}

/** Text from files and planners, harmless in a table of Markdown. */
function cell(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>|#]/g, "\\$&");
}
