/** What a run has used stays with the run: its limits are for all of it, however often it goes on. */
import { Account, sumOf } from "../../agents/models/live/account.ts";
import type { Purse } from "../../agents/models/live/purse.ts";
import { oneLine } from "../../core/text.ts";
import { UsageError } from "../cli/exit.ts";

/** Where it is kept: a text for each process that has worked on the run. */
export interface SpendingBook {
  /** What earlier processes have kept. */
  spentBefore(): readonly string[];
  /** Keeps what this one has used; in the place of what it has kept before. */
  spend(text: string): void;
}

/**
 * What is kept, as a sum.
 *
 * @throws {UsageError} If it cannot be read: a limit that rests on it could be passed.
 */
export function readSpending(kept: readonly string[] = []): Account {
  return sumOf(kept.map((text) => {
    const account = Account.safeParse(valueOf(text));
    if (account.success) return account.data;
    throw new UsageError("what this run's models have used cannot be read; begin it anew without --resume");
  }));
}

/**
 * Counts what was used before against the limits, and keeps what is used from now on: before each call the most that it may
 * use, so that whoever is killed on the way has kept enough, and after it what it did.
 *
 * @param note Says something on stderr.
 * @throws {UsageError} If a limit of money cannot be kept.
 */
export function keepSpending(purse: Purse, book: SpendingBook, note: (text: string) => void): void {
  carryInto(purse, readSpending(book.spentBefore()));
  let isTold = false;
  purse.watch((used) => {
    try {
      book.spend(JSON.stringify(used));
    } catch (error) {
      // The cell whose call this is cannot be kept either, and is what ends the run.
      if (!isTold) note(`what models use is not kept: ${error instanceof Error ? oneLine(error.message) : error}`);
      isTold = true;
    }
  });
}

/**
 * Counts against a limit what was used before, or by others.
 *
 * @throws {UsageError} If there is a limit of money, and what that has cost is not known.
 */
export function carryInto(purse: Purse, earlier: Account): void {
  const { maxCostUsd } = purse.limits;
  if (maxCostUsd !== undefined && earlier.unbounded > 0) {
    throw new UsageError(
      `--max-cost cannot be kept: ${earlier.unbounded} of the calls so far were at no known price; limit with --max-tokens`,
    );
  }
  purse.carry(earlier);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
