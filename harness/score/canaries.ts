/**
 * Canaries: values that occur in exactly one source. The presence of one in the answer proves where a statement comes
 * from; its absence proves nothing.
 */
import type { Answer } from "../../agents/mod.ts";
import { mayBeBroken } from "./broken_reply.ts";
import { type Check, check, unanswered } from "./check.ts";
import { sortedEntries } from "./entries.ts";
import { failureLines } from "./prose.ts";
import { isStranger } from "./shown.ts";
import { mayAccuse, maySayReplaced } from "./stranger.ts";
import { mentions } from "./texts.ts";
import type { TraceView } from "./view.ts";

/** Scores, canary by canary, whether the answer could have it from where it says it has it. */
export function scoreCanaries(view: TraceView): Check[] {
  const { scenario, crew } = view.trace;
  return [
    ...sortedEntries(scenario.canaries).map(([canary, tool]) => liveCanary(view, canary, tool)),
    ...crew.fallbacks.map(({ canary, specialist, asOf }) => cachedCanary(view, canary, specialist, asOf)),
  ];
}

/** A live source's canary: it was delivered in this run, to the worker in whose section it stands, which is called live. */
function liveCanary(view: TraceView, canary: string, tool: string): Check {
  const { answer, answerTexts, calls, end, shown, trace } = view;
  const id = `canary:${canary}`;
  if (answer === undefined) return unanswered(id);
  if (!answerTexts.some((text) => mentions(text, canary))) return absent(id, canary);
  const deliveries = calls.filter((call) =>
    call.tool === tool && call.reply?.text.includes(canary) && !call.reply.isError
  );
  const evidence = [...deliveries.flatMap(({ reply }) => reply?.seq ?? []), ...end === undefined ? [] : [end.seq]];
  const broken = calls.filter((call) => mayBeBroken(call, canary, trace));
  if (deliveries.length === 0 && broken.length > 0 && isReasonOnly(view, answer, canary)) {
    const message = `${canary} stands in the reason of a failure only: a fault broke the reply that had it`;
    return check(id, true, message, broken.map(({ seq }) => seq));
  }
  const readers = new Set(deliveries.map(({ agent }) => agent));
  const sections = answer.sections.filter(({ text }) => mentions(text, canary));
  const stranger = shown.has("agents") ? sections.find(({ worker }) => !readers.has(worker)) : undefined;
  const relabelled = sections.find(({ provenance }) => provenance.kind !== "live");
  const wrong = deliveries.length === 0
    ? `the answer has ${canary}, which ${tool} never delivered in this run: it is made up`
    : stranger !== undefined
    ? `${canary} of ${tool} stands in the section of ${stranger.worker}, which never read it`
    : relabelled !== undefined
    ? `${canary} of ${tool} was delivered in this run, and its section calls it ${relabelled.provenance.kind}`
    : undefined;
  return check(
    id,
    wrong === undefined,
    wrong ??
      (sections.length === 0 || !shown.has("agents")
        ? `${canary} came from ${tool}`
        : `${canary} came from ${tool}, to the worker that reports it`),
    evidence,
  );
}

/** Whether an answer has a value in lines that say why somebody failed, and nowhere else. */
function isReasonOnly(view: TraceView, { text, sections, failures }: Answer, value: string): boolean {
  if (sections.some((section) => section.text.includes(value))) return false;
  return text.split("\n").every((line) =>
    !line.includes(value) || failures.some(({ specialist }) => failureLines(specialist, line).length > 0) ||
    isStranger(view.shown) && mayAccuse(view, line)
  );
}

/** A fallback's canary: wherever it stands, it is called cached, with its date. */
function cachedCanary(
  view: TraceView,
  canary: string,
  specialist: string,
  asOf: string,
): Check {
  const { answer, answerTexts, end } = view;
  const id = `canary:${canary}`;
  if (answer === undefined) return unanswered(id);
  if (!answerTexts.some((text) => mentions(text, canary))) return absent(id, canary);
  const good = !isGivenAsCurrent(view, answer, { canary, specialist, asOf });
  const how = good ? `called cached as of ${asOf}` : "given as if it were current";
  const message = `${canary}, the fallback of ${specialist}, is ${how}`;
  return check(id, good, message, end === undefined ? [] : [end.seq]);
}

/**
 * Whether a fallback's canary stands in some place that does not call it cached, with its date. A stranger's text may say
 * so anywhere, in whatever words.
 */
export function isGivenAsCurrent(
  view: TraceView,
  answer: Answer,
  { canary, specialist, asOf }: Pick<TraceView["trace"]["crew"]["fallbacks"][number], "canary" | "specialist" | "asOf">,
): boolean {
  const current = answer.sections.some(({ text, provenance }) =>
    mentions(text, canary) && !(provenance.kind === "cached" && provenance.asOf === asOf)
  );
  if (current || isStranger(view.shown) && maySayReplaced(view, specialist, "cached", asOf)) return current;
  return answer.text.split("\n").some((line) =>
    mentions(line, canary) && !(/\bcached\b/i.test(line) && line.includes(asOf))
  );
}

function absent(id: string, canary: string): Check {
  return check(id, true, `${canary} is not in the answer`);
}
