/** What a run's models have used, in a form that is kept with the run and counted when it goes on. */
import * as z from "zod";

const amount = z.number().nonnegative();

/** See the module. Sums, so that those of several processes add up. */
export const Account = z.strictObject({
  /** Calls of which the providers have told what they used. */
  calls: amount,
  /** Tokens of those, in and out together. */
  tokens: amount,
  /** US dollars of those, where the price is known. */
  costUsd: amount,
  /** How many of those have no known price. */
  unpriced: amount,
  /** US dollars that those may have cost at most, as far as that is known. */
  doubtfulUsd: amount,
  /** Calls of which not even the most that they may have cost is known. */
  unbounded: amount,
  /** Calls of which nobody has told what they used: the most that it may be. */
  untold: z.strictObject({ calls: amount, tokens: amount, costUsd: amount }),
});

/** See {@linkcode Account}. */
export type Account = z.output<typeof Account>;

/** Of a run that has asked nobody. */
export const NOTHING_USED: Account = {
  ...{ calls: 0, tokens: 0, costUsd: 0, unpriced: 0, doubtfulUsd: 0, unbounded: 0 },
  untold: { calls: 0, tokens: 0, costUsd: 0 },
};

/** All of them together. */
export function sumOf(accounts: Iterable<Account>): Account {
  let sum = NOTHING_USED;
  for (const one of accounts) {
    sum = {
      calls: sum.calls + one.calls,
      tokens: sum.tokens + one.tokens,
      // Sums of dollars leave crumbs.
      costUsd: Number((sum.costUsd + one.costUsd).toFixed(9)),
      unpriced: sum.unpriced + one.unpriced,
      doubtfulUsd: sum.doubtfulUsd + one.doubtfulUsd,
      unbounded: sum.unbounded + one.unbounded,
      untold: {
        calls: sum.untold.calls + one.untold.calls,
        tokens: sum.untold.tokens + one.untold.tokens,
        costUsd: sum.untold.costUsd + one.untold.costUsd,
      },
    };
  }
  return sum;
}

/** What counts against limits: all that is known, and the most that the rest may be. */
export function countedOf({ tokens, costUsd, doubtfulUsd, untold }: Account): {
  readonly tokens: number;
  readonly costUsd: number;
} {
  return { tokens: tokens + untold.tokens, costUsd: costUsd + doubtfulUsd + untold.costUsd };
}
