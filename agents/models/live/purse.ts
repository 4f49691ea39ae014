/**
 * What a whole run may use, and has used. Before each call the most that it may use is set aside, so that no limit is ever
 * passed; afterwards what it did not use is free again.
 */
import { CodedError, untilAborted } from "../../../core/mod.ts";

/** Limits of a run. What is left out has no limit. */
export interface PurseLimits {
  /** US dollars. */
  readonly maxCostUsd?: number;
  /** Tokens, in and out together. */
  readonly maxTokens?: number;
}

/** An amount that is set aside or used. */
export interface Amount {
  /** Tokens, in and out together. */
  readonly tokens: number;
  /** US dollars; `undefined` where the price is not known. */
  readonly costUsd: number | undefined;
}

/** What was used. */
export interface Spent {
  /** Calls that were made. */
  readonly calls: number;
  /** Tokens, in and out together, as the providers have told. */
  readonly tokens: number;
  /** US dollars of those, where the price is known. */
  readonly costUsd: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
  /** Calls of which nobody has told what they used, such as those that broke off. Limits count the most that it may be. */
  readonly untold: { readonly calls: number; readonly tokens: number; readonly costUsd: number };
  /** Calls that were refused. */
  readonly refused: number;
}

/** A call that was refused: it might have passed a limit of the run. */
export class OverLimit extends CodedError {
  /** Tells whoever asked that the same will be refused again (the status of HTTP for this is 402). */
  readonly status = 402;
}

/** What is set aside for one call. */
export interface Reservation {
  /** The call has used this much; `undefined` if nobody has told. */
  settle(used: Amount | undefined): void;
}

/** The money and the tokens of one run. */
export class Purse {
  #tokens = 0;
  #costUsd = 0;
  #heldTokens = 0;
  #heldUsd = 0;
  #held = 0;
  #calls = 0;
  #untold = { calls: 0, tokens: 0, costUsd: 0 };
  #unpriced = 0;
  /** What calls of no known price may have cost, where a limit of money let them through. */
  #doubtfulUsd = 0;
  #refused = 0;
  #changed = Promise.withResolvers<void>();

  /** A purse of which nothing is used. */
  constructor(readonly limits: PurseLimits = {}) {}

  /** What was used so far. */
  get spent(): Spent {
    return {
      calls: this.#calls,
      tokens: this.#tokens,
      costUsd: Number(this.#costUsd.toFixed(9)),
      unpriced: this.#unpriced,
      untold: this.#untold,
      refused: this.#refused,
    };
  }

  /**
   * Sets the most aside that a call may use. If it only does not fit because of calls that are on their way, it waits for
   * what they leave.
   *
   * @throws {OverLimit} `budget_cost` or `budget_tokens`, if it does not fit.
   * @throws The signal's reason, if it aborts first.
   */
  async reserve(most: Amount, signal: AbortSignal): Promise<Reservation> {
    for (;;) {
      signal.throwIfAborted();
      const { tokens: used, costUsd: paid } = this.#counted();
      const refusal = this.#refusal(most, used, paid);
      if (refusal !== undefined) {
        this.#refused++;
        throw refusal;
      }
      // With what is set aside for others.
      if (this.#refusal(most, used + this.#heldTokens, paid + this.#heldUsd) === undefined) break;
      await untilAborted(this.#changed.promise, signal);
    }
    const held = { tokens: most.tokens, costUsd: most.costUsd ?? 0 };
    this.#heldTokens += held.tokens;
    this.#heldUsd += held.costUsd;
    this.#held++;
    let over = false;
    return {
      settle: (used) => {
        if (over) return;
        over = true;
        this.#held--;
        // From zero again when nothing is held: sums of dollars leave crumbs.
        this.#heldTokens = this.#held === 0 ? 0 : this.#heldTokens - held.tokens;
        this.#heldUsd = this.#held === 0 ? 0 : this.#heldUsd - held.costUsd;
        this.#count(used, held);
        this.#changed.resolve();
        this.#changed = Promise.withResolvers();
      },
    };
  }

  #count(used: Amount | undefined, most: { readonly tokens: number; readonly costUsd: number }): void {
    this.#calls++;
    if (used === undefined) {
      const { calls, tokens, costUsd } = this.#untold;
      this.#untold = { calls: calls + 1, tokens: tokens + most.tokens, costUsd: costUsd + most.costUsd };
      return;
    }
    this.#tokens += used.tokens;
    if (used.costUsd === undefined) {
      this.#unpriced++;
      this.#doubtfulUsd += most.costUsd;
    } else this.#costUsd += used.costUsd;
  }

  /** What counts against the limits. */
  #counted(): { readonly tokens: number; readonly costUsd: number } {
    const { tokens, costUsd } = this.#untold;
    return { tokens: this.#tokens + tokens, costUsd: this.#costUsd + this.#doubtfulUsd + costUsd };
  }

  #refusal(most: Amount, tokens: number, costUsd: number): OverLimit | undefined {
    const { maxTokens, maxCostUsd } = this.limits;
    if (maxTokens !== undefined && tokens + most.tokens > maxTokens) {
      return new OverLimit(
        "budget_tokens",
        `the run's limit of ${maxTokens} tokens: ${tokens} are used, and this call may use ${most.tokens}`,
      );
    }
    if (maxCostUsd === undefined) return undefined;
    if (most.costUsd === undefined) {
      return new OverLimit("budget_cost", `the run's limit of $${maxCostUsd}: what this call may cost is not known`);
    }
    if (costUsd + most.costUsd <= maxCostUsd) return undefined;
    return new OverLimit(
      "budget_cost",
      `the run's limit of $${maxCostUsd}: $${dollars(costUsd)} are spent, and this call may cost $${
        dollars(most.costUsd)
      }`,
    );
  }
}

function dollars(usd: number): string {
  return String(Number(usd.toPrecision(4)));
}
