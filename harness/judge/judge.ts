/** Asks a judge about what the bench's own checker leaves undetermined in one cell, and about what is labelled. */
import type { Model } from "../../agents/mod.ts";
import { OverLimit } from "../../agents/models/live/purse.ts";
import { clip, oneLine, toFailure } from "../../core/mod.ts";
import type { Trace } from "../trace/event.ts";
import { addUsage, type Judged, type JudgedClaim } from "./judged.ts";
import { NotAsked } from "./not_asked.ts";
import { answerIn, requestOf } from "./prompt.ts";
import { type Question, questionsOf } from "./question.ts";

/** How much is kept of the name that a provider gives its model. */
const MAX_NAME = 120;

/**
 * Asks once about each. A reply that cannot be read, no reply, and a question that was not asked are each told as what they
 * are, and none of them as an answer.
 *
 * @param name The model that was asked for.
 * @throws The signal's reason, if it aborts: what was judged by halves is no judgement.
 */
export async function judgeCell(trace: Trace, name: string, model: Model, signal: AbortSignal): Promise<Judged> {
  const { claims, labels } = questionsOf(trace);
  const models = new Set<string>();
  let usage: Judged["usage"] = { calls: 0, tokens: 0, costUsd: 0 };
  const ask = async (question: Question): Promise<JudgedClaim> => {
    const { claim, worker } = question;
    const about = { claim, ...(worker === undefined ? {} : { worker }) };
    try {
      const turn = await model.next(requestOf(question), signal);
      const { inputTokens, outputTokens, costUsd } = turn.usage;
      usage = addUsage(usage, { calls: 1, tokens: inputTokens + outputTokens, costUsd: costUsd ?? null });
      if (turn.model !== undefined) models.add(clip(oneLine(turn.model), MAX_NAME));
      const answer = answerIn(turn);
      return { ...about, answer: answer ?? "unread" };
    } catch (error) {
      signal.throwIfAborted();
      const isAsked = !(error instanceof NotAsked || error instanceof OverLimit);
      return { ...about, answer: isAsked ? "not_reached" : "not_asked", why: toFailure(error).code };
    }
  };
  const judgedClaims: JudgedClaim[] = [];
  for (const question of claims) judgedClaims.push(await ask(question));
  const judgedLabels: Judged["labels"][number][] = [];
  for (const question of labels) judgedLabels.push({ ...await ask(question), label: question.label });
  return { judge: name, models: [...models].sort(), claims: judgedClaims, labels: judgedLabels, usage };
}
