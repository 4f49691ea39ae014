/** What live models have used, in a line for people. */
import type { PurseLimits, Spent } from "../../agents/models/live/purse.ts";

/** One line about a run's models: calls, tokens, dollars, and what a limit has refused. */
export function spentLine(label: string, spent: Spent, limits: PurseLimits, hasJudge = false): string {
  const { calls, tokens, costUsd, unpriced, untold, refused } = spent;
  const cost = unpriced === 0
    ? `$${costUsd}`
    : costUsd === 0
    ? "at no known price"
    : `$${costUsd} and ${unpriced} calls at no known price`;
  const lost = untold.calls === 0
    ? ""
    : `; ${untold.calls} of the calls broke off, and may have used up to ${untold.tokens} tokens more`;
  const limit = [
    ...(limits.maxCostUsd === undefined ? [] : [`--max-cost ${limits.maxCostUsd}`]),
    ...(limits.maxTokens === undefined ? [] : [`--max-tokens ${limits.maxTokens}`]),
  ].join(", ");
  const met = refused === 0
    ? ""
    : `; ${refused} ${refused === 1 ? "call was" : "calls were"} refused, so that ${limit} is not passed: ` +
      (hasJudge
        ? "cells of the crew's own are errors, and what a judge was not asked is answered by nobody"
        : "the cells that made them are errors");
  return `${label}: ${calls} calls, ${tokens} tokens, ${cost}${lost}${met}`;
}
