/** Counts of what was flagged among mutants. */
import { scoreLogRun } from "../score.ts";
import type { Mutant } from "./change.ts";

/** What became of the mutants of one mutation. */
export interface Counts {
  /** How many there are. */
  readonly all: number;
  /** How many were judged as they have to be. */
  readonly right: number;
  /** Whether they have to be flagged. */
  readonly flagged: boolean;
}

/** What a set of mutants came to. */
export interface Measured {
  readonly byMutation: ReadonlyMap<string, Counts>;
  /** Of the flagged ones, the share that had to be. */
  readonly precision: number;
  /** Of those that had to be flagged, the share that was. */
  readonly recall: number;
  /** Those that were judged otherwise. */
  readonly wrong: readonly Mutant[];
}

/** Judges mutants. A mutation whose mutants differ in what has to be thought of them counts as two. */
export function measure(mutants: readonly Mutant[]): Measured {
  const judged = mutants.map((mutant) => ({ mutant, got: scoreLogRun(mutant.run).flagged }));
  const byMutation = new Map(
    [...Map.groupBy(judged, ({ mutant }) => `${mutant.flagged ? "+" : "-"} ${mutant.mutation}`)].map(([name, own]) => [
      name,
      {
        all: own.length,
        right: own.filter(({ mutant, got }) => mutant.flagged === got).length,
        flagged: name.startsWith("+"),
      },
    ]),
  );
  const count = (is: boolean, got: boolean) =>
    judged.filter((one) => one.mutant.flagged === is && one.got === got).length;
  const share = (part: number, all: number) => all === 0 ? 1 : part / all;
  return {
    byMutation,
    precision: share(count(true, true), count(true, true) + count(false, true)),
    recall: share(count(true, true), count(true, true) + count(true, false)),
    wrong: judged.filter(({ mutant, got }) => mutant.flagged !== got).map(({ mutant }) => mutant),
  };
}
