/**
 * A run that was ended early: a provider could be asked nothing more, or a limit was met.
 *
 * Its report is written all the same, because what has ended was paid for and whoever waits for the file would otherwise read
 * the one of the day before. It cannot be taken for a whole run: it holds the cells that were run, `partial` with the names
 * of those that were not, and a check of the run that is an error, so that its outcome is never green and every form of the
 * report shows it. Cells that were not run are no cells of it: nothing is known of them, and no score and no share may count
 * them. `bench compare` refuses such a report, since whatever the sides differ in could be what is missing.
 */
import type { Check } from "../score/check.ts";

/** Id of the check that such a run has, and no other. */
export const WHOLE = "run.whole";

/** How far a run has come that was ended early. */
export interface PartialRun {
  /** Why it was ended, and what to do about it, in a sentence. */
  readonly why: string;
  /** How many cells it was to have. */
  readonly planned: number;
  /** How many of them have been run to their end. */
  readonly ended: number;
  /** Names of the cells that were not run, in order. */
  readonly notRun: readonly string[];
  /** Names of the cells on which it broke off: they are in the report, as errors, and are run again by whoever goes on. */
  readonly brokenOff: readonly string[];
}

/** How many cells the check names; the JSON has all. */
const MAX_NAMED = 10;

/** The check that says so. */
export function wholeCheck(partial: PartialRun): Check {
  const message = [`${partialWords(partial)}: ${partial.why}`, ...missing(partial)].join("; ");
  return { id: WHOLE, outcome: "error", message, evidence: [] };
}

/** What the check says, without the reason: for where that stands already. */
export function missingWords(partial: PartialRun): string {
  return [partialWords(partial), ...missing(partial)].join("; ");
}

function missing({ notRun, brokenOff }: PartialRun): string[] {
  const lists = [["not run", notRun], ["broken off", brokenOff]] as const;
  return lists.flatMap(([what, ids]) => ids.length === 0 ? [] : `${what}: ${named(ids)}`);
}

/** How far it has come, in a few words. */
export function partialWords({ planned, ended }: Pick<PartialRun, "planned" | "ended">): string {
  return `partial: ${ended} of ${planned} cells have been run`;
}

function named(ids: readonly string[]): string {
  const left = ids.length - MAX_NAMED;
  return ids.slice(0, MAX_NAMED).join(", ") + (left > 0 ? ` and ${left} more` : "");
}
