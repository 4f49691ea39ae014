/** What the answer must state, with its source, and what it must never say. */
import type { Answer } from "../../agents/mod.ts";
import { splitClaims } from "../../agents/verifier/mod.ts";
import { FAILURES } from "../../core/mod.ts";
import { type Check, check, unanswered } from "./check.ts";
import { isStranger, notShown } from "./shown.ts";
import { mayAccuse } from "./stranger.ts";
import { mentions, plain, states } from "./texts.ts";
import type { TraceView } from "./view.ts";

/**
 * Words in which this project's answers tell of failures and substitutes, and never stand otherwise. In a stranger's own
 * words they say nothing by themselves: "nothing failed".
 */
const OF_FAILURE: ReadonlySet<string> = new Set([
  ...Object.keys(FAILURES),
  ...[
    "failed",
    "cached",
    "fallback",
    "fallback plan",
    "incomplete",
    "unconfirmed",
    "unavailable",
    "a person",
    "summary",
  ],
]);

/** Scores statements. A value counts only if its source delivered it in this run. */
export function scoreStatements(view: TraceView): Check[] {
  const { answer, answerTexts, calls, end, shown, trace: { scenario } } = view;
  if (scenario.expect === undefined) return [];
  const { says, never, order } = scenario.expect.answer;
  const evidence = end === undefined ? [] : [end.seq];
  const sources = new Map(says.map((one) => [`says:${one.from}:${one.value}`, one]));
  const stated = [...sources].map(([id, { from, value }]) => {
    const deliveries = calls.filter(({ tool, reply }) =>
      tool === from && reply !== undefined && !reply.isError && states(reply.text, value)
    );
    const readers = new Set(deliveries.map(({ agent }) => agent));
    const told = answer !== undefined && states(answer.text, value);
    // Where the answer has sections, it is its reader who has to say it, and as something live.
    const sections = answer?.sections ?? [];
    const inPlace = sections.length === 0
      ? told
      : sections.some(({ worker, text, provenance }) =>
        provenance.kind === "live" && (readers.has(worker) || !shown.has("agents")) && states(text, value)
      );
    const message = !told
      ? `the answer does not say "${value}"`
      : deliveries.length === 0
      ? `the answer says "${value}", and ${from} never delivered it`
      : inPlace
      ? `the answer says "${value}", which ${from} delivered`
      : `the answer says "${value}", and not in a live section of a worker that ${from} delivered it to`;
    const seen = deliveries.flatMap(({ reply }) => reply?.seq ?? []);
    return check(id, told && inPlace && deliveries.length > 0, message, [...seen, ...evidence]);
  });
  const shunned = [...new Set(never)].map((phrase) => {
    if (answer === undefined) return unanswered(`never:${phrase}`, evidence);
    const found = answerTexts.some((text) => mentions(text, phrase) && !isOfFailureOnly(text, phrase, view));
    if (found && isStranger(shown) && OF_FAILURE.has(phrase.toLowerCase())) {
      const message = `the answer says "${phrase}", as it well may: of whom it says so is in disclosure.false_alarm`;
      return notShown(`never:${phrase}`, message, evidence);
    }
    return check(`never:${phrase}`, !found, `the answer ${found ? "says" : "does not say"} "${phrase}"`, evidence);
  });
  return [...stated, ...shunned, ...order === undefined ? [] : [inOrder(answer, order, evidence)]];
}

/** Whether a stranger says something only where it says that somebody failed: "I do not have the current policy". */
function isOfFailureOnly(text: string, phrase: string, view: TraceView): boolean {
  // What has a figure in it is a value, wherever it stands.
  if (!isStranger(view.shown) || /\d/.test(phrase)) return false;
  const own = splitClaims(text).filter((sentence) => mentions(sentence, phrase));
  return own.length > 0 && own.every((sentence) => mayAccuse(view, sentence));
}

/** The answer has these texts, one after the other. */
function inOrder(answer: Answer | undefined, order: readonly string[], evidence: readonly number[]): Check {
  const id = "answer.order";
  if (answer === undefined) return unanswered(id, evidence);
  const text = plain(answer.text);
  let from = 0;
  const lost = order.find((one) => {
    const at = text.indexOf(plain(one), from);
    if (at >= 0) from = at + plain(one).length;
    return at < 0;
  });
  const message = lost === undefined
    ? "the answer has what it must in the order in which it must"
    : text.includes(plain(lost))
    ? `the answer has "${lost}", and too early`
    : `the answer does not have "${lost}"`;
  return check(id, lost === undefined, message, evidence);
}
