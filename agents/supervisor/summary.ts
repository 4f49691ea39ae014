/** Asks a model for a summary of what is known, and keeps of it what the sections bear out. */
import { childId, type Json, oneLine, untilAborted } from "../../core/mod.ts";
import { Meter, type MeterLimits } from "../budget/meter.ts";
import { asFailure } from "../engine/task.ts";
import type { Model } from "../models/model.ts";
import { SYNTHESIZER } from "../prompts/synthesizer.ts";
import type { Answer, Usage } from "../types.ts";
import { checkClaim, splitClaims } from "../verifier/mod.ts";
import { withoutReasoning } from "../worker/reply.ts";
import { describe } from "./render.ts";

/** Who the model is asked as. */
export const SYNTHESIZER_NAME = "synthesizer";

/** A summary, as far as it stands. */
export interface Summary {
  /** The sentences that stand; `undefined` if none does. */
  readonly text?: string;
  /** What the call used. */
  readonly usage: Usage;
  /** What became of it, as an event tells it. */
  readonly event: { readonly [key: string]: Json };
}

/**
 * Words that claim completeness. Beside a failure a sentence with one of them is left out: nobody can tell from the
 * sections what the missing part would have said.
 */
const WHOLE =
  /\b(?:all|every|everything|everyone|nothing|none|no (?:issues|problems|failures|gaps)|complete(?:ly)?|full(?:y)?|entire(?:ly)?|whole)\b/i;

/**
 * One call of the synthesizer. Whatever fails costs the summary, and nothing else.
 *
 * @throws The signal's reason, if it aborts.
 */
export async function summarize(
  model: Model,
  answer: Answer,
  limits: MeterLimits,
  span: string,
  signal: AbortSignal,
): Promise<Summary> {
  const meter = new Meter(limits);
  const question = { system: SYNTHESIZER.text, messages: [{ role: "user" as const, text: reportsOf(answer) }] };
  const allowance = meter.allow(question);
  const none = (code: string): Summary => ({ usage: meter.usage, event: { code, kept: 0, dropped: [] } });
  if (!allowance.ok) return none(allowance.code);
  const { maxOutputTokens } = allowance;
  const most = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const request = { agent: SYNTHESIZER_NAME, span: childId(span, "step1"), ...question, tools: [], ...most };
  let said: string;
  meter.begin();
  try {
    const turn = await untilAborted(model.next(request, signal), signal);
    meter.count(turn);
    if (turn.finish !== "stop") return none(turn.finish);
    said = withoutReasoning(turn.text).trim();
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    return none(asFailure(thrown).code);
  }
  const { kept, dropped } = checkSummary(said, answer);
  const text = kept.join(" ");
  return {
    usage: meter.usage,
    ...(text === "" ? {} : { text }),
    event: { kept: kept.length, dropped: dropped.map((one) => ({ ...one })) },
  };
}

/** The sentences of a summary that the sections bear out, and those that they do not, each with the reason. */
export function checkSummary(said: string, answer: Answer): {
  readonly kept: string[];
  readonly dropped: { readonly sentence: string; readonly because: string }[];
} {
  const evidence = answer.sections.map(({ worker, text }) => ({ id: worker, text }));
  const kept: string[] = [];
  const dropped: { sentence: string; because: string }[] = [];
  for (const sentence of splitClaims(said)) {
    const { verdict, reasons } = checkClaim(sentence, evidence);
    const why = reasons.map(({ detail }) => detail).join("; ");
    if (verdict !== "supported") dropped.push({ sentence, because: `${verdict}: ${why}` });
    else if (answer.failures.length > 0 && WHOLE.test(sentence)) {
      dropped.push({ sentence, because: "it claims completeness, and something is missing" });
    } else kept.push(sentence);
  }
  return { kept, dropped };
}

/** What the synthesizer is told: claims and failures, never a transcript. */
function reportsOf({ sections, failures }: Answer): string {
  const parts = sections.map(({ worker, text, provenance }) =>
    `- ${worker} (${describe(provenance)}): ${JSON.stringify(text)}`
  );
  const holes = failures.map(({ specialist, code, effect }) =>
    `- ${oneLine(specialist)} (${code}): ${oneLine(effect)}`
  );
  return ["Reports:", ...parts, ...(holes.length === 0 ? [] : ["What failed:", ...holes])].join("\n");
}
