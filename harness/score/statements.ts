/** What the answer must state, with its source, and what it must never say. */
import { type Check, check, unanswered } from "./check.ts";
import type { TraceView } from "./view.ts";

/** Scores statements. A value counts only if its source delivered it in this run. */
export function scoreStatements({ answer, answerTexts, calls, end, trace: { scenario } }: TraceView): Check[] {
  const { says, never } = scenario.expect.answer;
  const evidence = end === undefined ? [] : [end.seq];
  const sources = new Map(says.map((one) => [`says:${one.from}:${one.value}`, one]));
  const stated = [...sources].map(([id, { from, value }]) => {
    const deliveries = calls.filter(({ tool, reply }) =>
      tool === from && !reply?.isError && reply?.text.includes(value)
    );
    const isStated = answer?.text.includes(value) ?? false;
    const message = !isStated
      ? `the answer does not say "${value}"`
      : deliveries.length === 0
      ? `the answer says "${value}", and ${from} never delivered it`
      : `the answer says "${value}", which ${from} delivered`;
    const seen = deliveries.flatMap(({ reply }) => reply?.seq ?? []);
    return check(id, isStated && deliveries.length > 0, message, [...seen, ...evidence]);
  });
  const shunned = [...new Set(never)].map((phrase) => {
    if (answer === undefined) return unanswered(`never:${phrase}`, evidence);
    const found = answerTexts.some((text) => text.toLowerCase().includes(phrase.toLowerCase()));
    return check(`never:${phrase}`, !found, `the answer ${found ? "says" : "does not say"} "${phrase}"`, evidence);
  });
  return [...stated, ...shunned];
}
