/**
 * What a whole run may use, and has used. Before each call the most that it may use is set aside, so that no limit is ever
 * passed; afterwards what it did not use is free again.
 */
import { CodedError, untilAborted } from "../../../core/mod.ts";
import { type Account, countedOf, NOTHING_USED, sumOf } from "./account.ts";

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
  /** Whether there was a call of which not even the most that it may cost was known. Nothing of it is $0. */
  readonly hasNoPrice: boolean;
}

/** What a call lacked that was refused. */
export interface Shortfall {
  /** The most that it may use. */
  readonly most: Amount;
  /** What is left of the limits; `undefined` of what has none. */
  readonly left: { readonly tokens: number | undefined; readonly costUsd: number | undefined };
  /**
   * Limits within which it can be made by a run that goes on, in the place of those that there are. What this one has used may
   * be used again first: what broke off begins anew.
   */
  readonly suffice: PurseLimits;
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
  #own: Account = NOTHING_USED;
  /** What others have used of it, or this run before it went on. */
  #earlier: Account = NOTHING_USED;
  #heldTokens = 0;
  #heldUsd = 0;
  #held = 0;
  /** Calls on their way of which not even the most that they may cost is known. */
  #heldUnbounded = 0;
  #refused = 0;
  /** The largest call that was refused. */
  #lacked: Amount | undefined;
  #hasNoPrice = false;
  #watch: ((used: Account) => void) | undefined;
  #changed = Promise.withResolvers<void>();

  /** A purse of which nothing is used. */
  constructor(readonly limits: PurseLimits = {}) {}

  /** What was used of it so far; without what was carried into it. */
  get spent(): Spent {
    const { calls, tokens, costUsd, unpriced, untold } = this.#own;
    return {
      calls: calls + untold.calls,
      tokens,
      costUsd,
      unpriced,
      untold,
      refused: this.#refused,
      hasNoPrice: this.#hasNoPrice,
    };
  }

  /** What the largest call lacks that was refused; `undefined` if none was, or if no limit could be high enough for it. */
  get shortfall(): Shortfall | undefined {
    const most = this.#lacked;
    const { maxTokens, maxCostUsd } = this.limits;
    if (most === undefined || maxCostUsd !== undefined && most.costUsd === undefined) return undefined;
    const [used, own, dollarsOf] = [this.#counted(), countedOf(this.#own), most.costUsd ?? 0];
    const cost = (maxUsd: number) => {
      const needed = used.costUsd + own.costUsd + dollarsOf;
      // A little more than the sum: it leaves crumbs. To a hundredth of a cent.
      return Math.max(maxUsd, Math.ceil(needed * 1e4 + 1e-3) / 1e4);
    };
    return {
      most,
      left: {
        tokens: maxTokens === undefined ? undefined : Math.max(0, maxTokens - used.tokens),
        costUsd: maxCostUsd === undefined ? undefined : Math.max(0, maxCostUsd - used.costUsd),
      },
      suffice: {
        ...(maxTokens === undefined ? {} : { maxTokens: Math.max(maxTokens, used.tokens + own.tokens + most.tokens) }),
        ...(maxCostUsd === undefined ? {} : { maxCostUsd: cost(maxCostUsd) }),
      },
    };
  }

  /** What was carried into it. */
  get earlier(): Account {
    return this.#earlier;
  }

  /**
   * What was used of it so far, what is on its way included: nobody can tell of that while it lasts, so that whoever is killed
   * has an account that is never too low.
   */
  get account(): Account {
    const { unbounded, untold, ...own } = this.#own;
    return {
      ...own,
      unbounded: unbounded + this.#heldUnbounded,
      untold: {
        calls: untold.calls + this.#held,
        tokens: untold.tokens + this.#heldTokens,
        costUsd: untold.costUsd + this.#heldUsd,
      },
    };
  }

  /** Has something count against the limits that was used before, or elsewhere. */
  carry(earlier: Account): void {
    this.#earlier = sumOf([this.#earlier, earlier]);
  }

  /** Has somebody told of {@linkcode account} before each call and after it; nobody any more with `undefined`. */
  watch(told: ((used: Account) => void) | undefined): void {
    this.#watch = told;
  }

  /**
   * Sets the most aside that a call may use. If it only does not fit because of calls that are on their way, it waits for
   * what they leave.
   *
   * @throws {OverLimit} `budget_cost` or `budget_tokens`, if it does not fit.
   * @throws The signal's reason, if it aborts first.
   */
  async reserve(most: Amount, signal: AbortSignal): Promise<Reservation> {
    this.#hasNoPrice ||= most.costUsd === undefined;
    for (;;) {
      signal.throwIfAborted();
      const { tokens: used, costUsd: paid } = this.#counted();
      const refusal = this.#refusal(most, used, paid);
      if (refusal !== undefined) {
        this.#refused++;
        this.#lacked = largerOf(this.#lacked, most);
        throw refusal;
      }
      // With what is set aside for others.
      if (this.#refusal(most, used + this.#heldTokens, paid + this.#heldUsd) === undefined) break;
      await untilAborted(this.#changed.promise, signal);
    }
    const held = { tokens: most.tokens, costUsd: most.costUsd ?? 0, unbounded: most.costUsd === undefined ? 1 : 0 };
    this.#heldTokens += held.tokens;
    this.#heldUsd += held.costUsd;
    this.#heldUnbounded += held.unbounded;
    this.#held++;
    this.#watch?.(this.account);
    let over = false;
    return {
      settle: (used) => {
        if (over) return;
        over = true;
        this.#held--;
        // From zero again when nothing is held: sums of dollars leave crumbs.
        this.#heldTokens = this.#held === 0 ? 0 : this.#heldTokens - held.tokens;
        this.#heldUsd = this.#held === 0 ? 0 : this.#heldUsd - held.costUsd;
        this.#heldUnbounded -= held.unbounded;
        this.#own = sumOf([this.#own, accountOf(used, held)]);
        this.#watch?.(this.account);
        this.#changed.resolve();
        this.#changed = Promise.withResolvers();
      },
    };
  }

  /** What counts against the limits. */
  #counted(): { readonly tokens: number; readonly costUsd: number } {
    return countedOf(sumOf([this.#earlier, this.#own]));
  }

  #refusal(most: Amount, tokens: number, costUsd: number): OverLimit | undefined {
    const { maxTokens, maxCostUsd } = this.limits;
    const carried = countedOf(this.#earlier);
    const before = carried.tokens === 0 ? "" : `, ${carried.tokens} of them before`;
    if (maxTokens !== undefined && tokens + most.tokens > maxTokens) {
      return new OverLimit(
        "budget_tokens",
        `the run's limit of ${maxTokens} tokens: ${tokens} are used${before}, and this call may use ${most.tokens}`,
      );
    }
    if (maxCostUsd === undefined) return undefined;
    if (most.costUsd === undefined) {
      return new OverLimit("budget_cost", `the run's limit of $${maxCostUsd}: what this call may cost is not known`);
    }
    if (costUsd + most.costUsd <= maxCostUsd) return undefined;
    return new OverLimit(
      "budget_cost",
      `the run's limit of $${maxCostUsd}: $${dollars(costUsd)} are spent${
        carried.costUsd === 0 ? "" : `, $${dollars(carried.costUsd)} of them before`
      }, and this call may cost $${dollars(most.costUsd)}`,
    );
  }
}

/** What is enough for either; the cost is not known where that of one is not. */
function largerOf(one: Amount | undefined, other: Amount): Amount {
  if (one === undefined) return other;
  const costUsd = one.costUsd === undefined || other.costUsd === undefined
    ? undefined
    : Math.max(one.costUsd, other.costUsd);
  return { tokens: Math.max(one.tokens, other.tokens), costUsd };
}

function dollars(usd: number): string {
  return String(Number(usd.toPrecision(4)));
}

/** One call. */
function accountOf(
  used: Amount | undefined,
  most: { readonly tokens: number; readonly costUsd: number; readonly unbounded: number },
): Account {
  const { tokens, costUsd, unbounded } = most;
  if (used === undefined) return { ...NOTHING_USED, unbounded, untold: { calls: 1, tokens, costUsd } };
  const call = { ...NOTHING_USED, calls: 1, tokens: used.tokens };
  if (used.costUsd !== undefined) return { ...call, costUsd: used.costUsd };
  return { ...call, unpriced: 1, doubtfulUsd: costUsd, unbounded };
}
