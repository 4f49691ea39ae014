/** What live models have used, in a line for people. */
import type { Account } from "../../agents/models/live/account.ts";
import type { Purse, PurseLimits, Shortfall } from "../../agents/models/live/purse.ts";

/** One line about a run's models: calls, tokens, dollars, what was used before, and what a limit has refused. */
export function spentLine(label: string, { spent, earlier, limits }: Purse, hasJudge = false): string {
  const { untold, refused } = spent;
  const lost = untold.calls === 0
    ? ""
    : `; ${untold.calls} of the calls broke off, and may have used up to ${untold.tokens} tokens more`;
  const before = isNothing(earlier)
    ? ""
    : `; before that ${usedWords(earlier)} were used${hasLimit(limits) ? ", which count, too" : ""}`;
  const met = refused === 0
    ? ""
    : `; ${refused} ${refused === 1 ? "call was" : "calls were"} refused, so that ${
      limitWords(limits)
    } is not passed: ` +
      (hasJudge
        ? "cells of the crew's own are errors, and what a judge was not asked is answered by nobody"
        : "the cells that made them are errors");
  return `${label}: ${wordsOf(spent)}${lost}${before}${met}`;
}

/** What an account comes to: calls, tokens and dollars, those of which nobody has told as the most that it may be. */
export function usedWords({ calls, tokens, costUsd, doubtfulUsd, unpriced, unbounded, untold }: Account): string {
  return wordsOf({
    calls: calls + untold.calls,
    tokens: tokens + untold.tokens,
    costUsd: Number((costUsd + doubtfulUsd + untold.costUsd).toFixed(9)),
    unpriced,
    hasNoPrice: unbounded > 0,
  });
}

/** What the next call needs and what is left for it, where a limit has refused one. */
export function shortfallWords({ most, left }: Shortfall): string {
  const words = [
    ...(left.costUsd === undefined || most.costUsd === undefined
      ? []
      : [`$${short(most.costUsd)}, and $${short(left.costUsd)} are left`]),
    ...(left.tokens === undefined ? [] : [`${most.tokens} tokens, and ${left.tokens} are left`]),
  ];
  return `the next call may use up to ${words.join("; and up to ")}`;
}

function short(usd: number): string {
  return String(Number(usd.toFixed(4)));
}

/** Whether nothing was used: a call that was refused as a whole uses nothing. */
export function isNothing({ tokens, untold }: Account): boolean {
  return tokens + untold.tokens === 0;
}

/** The limits, as they were typed. */
export function limitWords({ maxCostUsd, maxTokens }: PurseLimits): string {
  return [
    ...(maxCostUsd === undefined ? [] : [`--max-cost ${maxCostUsd}`]),
    ...(maxTokens === undefined ? [] : [`--max-tokens ${maxTokens}`]),
  ].join(", ");
}

function hasLimit(limits: PurseLimits): boolean {
  return limitWords(limits) !== "";
}

function wordsOf(
  { calls, tokens, costUsd, unpriced, hasNoPrice }:
    & Pick<Account, "calls" | "tokens" | "costUsd" | "unpriced">
    & { readonly hasNoPrice: boolean },
): string {
  const cost = costUsd === 0 && (unpriced > 0 || hasNoPrice)
    ? "at no known price"
    : unpriced === 0
    ? `$${costUsd}`
    : `$${costUsd} and ${unpriced} calls at no known price`;
  return `${calls} calls, ${tokens} tokens, ${cost}`;
}
