/** Counts what one agent's model calls use, and says before each of them what is left for it. */
import type { FailureCode } from "../../core/mod.ts";
import type { ModelRequest, ModelTurn } from "../models/model.ts";
import { inputTokens } from "../models/tokens.ts";
import type { Usage } from "../types.ts";

/** Limits of one piece of work. What is left out has no limit. */
export interface MeterLimits {
  /** Tokens, in and out together. */
  readonly maxTokens?: number;
  /** US dollars. */
  readonly maxCostUsd?: number;
}

/** What the next call may use; or why it may not be made. */
export type Allowance =
  | {
    /** It may be made. */
    readonly ok: true;
    /** The most that the reply may have, in tokens. */
    readonly maxOutputTokens?: number;
  }
  | {
    /** It would overrun. */
    readonly ok: false;
    /** Which limit. */
    readonly code: Extract<FailureCode, "budget_tokens" | "budget_cost">;
    /** What is used up, for people. */
    readonly detail: string;
  };

/** Usage of nothing. */
export const NO_USAGE: Readonly<Usage> = { steps: 0, inputTokens: 0, outputTokens: 0, costUsd: null };

/** The sum of usages; the cost is `null` only if none is known. */
export function addUsage(...usages: readonly Readonly<Usage>[]): Usage {
  return usages.reduce<Usage>((sum, one) => ({
    steps: sum.steps + one.steps,
    inputTokens: sum.inputTokens + one.inputTokens,
    outputTokens: sum.outputTokens + one.outputTokens,
    costUsd: one.costUsd === null ? sum.costUsd : (sum.costUsd ?? 0) + one.costUsd,
  }), { ...NO_USAGE });
}

/** What one turn used, with the call that brought it. */
export function usageOf({ usage: { inputTokens, outputTokens, costUsd } }: ModelTurn): Usage {
  return { steps: 1, inputTokens, outputTokens, costUsd: costUsd ?? null };
}

/**
 * A meter. Tokens are a hard limit: the request is estimated beforehand, and the reply may have what is left. Money is
 * one as far as it can be: no price is known before the first reply, so the first call is free to cost what it does, and
 * each later one is estimated at the rate of those before.
 */
export class Meter {
  #usage: Usage = { ...NO_USAGE };

  /** A meter at zero. */
  constructor(private readonly limits: MeterLimits) {}

  /** What has been used so far. */
  get usage(): Usage {
    return { ...this.#usage };
  }

  /** What a call with this request may use. Ask right before the call. */
  allow(request: Pick<ModelRequest, "system" | "messages">): Allowance {
    const { maxTokens = Infinity, maxCostUsd = Infinity } = this.limits;
    const used = this.#usage.inputTokens + this.#usage.outputTokens;
    const input = inputTokens(request);
    const left = maxTokens - used - input;
    if (left < 1) {
      const detail = `no report within ${maxTokens} tokens: ${used} are used, and the next question has ${input}`;
      return { ok: false, code: "budget_tokens", detail };
    }
    const cost = this.#usage.costUsd ?? 0;
    const rate = used === 0 ? 0 : cost / used;
    const affordable = rate === 0 ? Infinity : Math.floor((maxCostUsd - cost) / rate) - input;
    if (cost >= maxCostUsd || affordable < 1) {
      return { ok: false, code: "budget_cost", detail: `no report within $${maxCostUsd}: $${cost} are spent` };
    }
    const most = Math.min(left, affordable);
    return { ok: true, ...(most === Infinity ? {} : { maxOutputTokens: most }) };
  }

  /** Counts a call that is about to be made: it is a step whatever comes of it. */
  begin(): void {
    this.#usage.steps++;
  }

  /** Counts what a call's turn has used. */
  count(turn: ModelTurn): void {
    this.#usage = addUsage(this.#usage, { ...usageOf(turn), steps: 0 });
  }
}
