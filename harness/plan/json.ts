/** A plan report as JSON: canonical, the same bytes for the same files. */
import { canonicalJson, type Json } from "../../core/mod.ts";
import { type PlanReport, type ReplyRow, summarize } from "./report.ts";

/** Version of the shape; goes up when a reader would have to change. */
const VERSION = 1;

/** Renders a report. Numbers are rounded to six places. */
export function planJson({ replies, dags }: PlanReport): string {
  const groups = (key: (row: ReplyRow) => string) =>
    Object.fromEntries([...Map.groupBy(replies, key)].map(([name, rows]) => [name, plain(summarize(rows))]));
  const report = {
    version: VERSION,
    total: replies.length === 0 ? null : plain(summarize(replies)),
    groups: groups(({ group }) => group),
    kinds: groups(({ kind }) => kind),
    replies: replies.map(replyJson),
    optima: dags.map((dag) => plain({ ...dag })),
  };
  return `${JSON.stringify(JSON.parse(canonicalJson(report)), null, 2)}\n`;
}

function replyJson({ file, group, name, kind, expected, isExpected, result }: ReplyRow): Json {
  const { parsed, repairs, rejection, gates, components, score, match, makespan } = result;
  return plain({
    file,
    group,
    name,
    kind,
    parsed,
    repairs: repairs.map((one) => ({ ...one })),
    rejection: rejection ?? null,
    gates: gates.map((one) => ({ ...one })),
    components: components.map((one) => ({ ...one })),
    score,
    expected: expected ?? null,
    isExpected,
    matchedByText: match.pairs.filter(({ by }) => by === "text").length,
    makespan: makespan === undefined ? null : { ...makespan },
  });
}

/** A value with its numbers rounded: the last digits of a mean are nobody's business. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, (_, one) => typeof one === "number" ? Math.round(one * 1e6) / 1e6 : one));
}
