/** What the detector is worth, measured on labelled sentences. */
import type { Statements } from "./mod.ts";

/** A text with what it says, as a person reads it. */
export interface Labelled {
  /** Begins with the part it is in: `dev` has been looked at while the rules were written, `held-out` and `twisted` have not. */
  readonly id: string;
  /** Name of the crew of which it speaks. */
  readonly crew: string;
  /** One sentence or a few. */
  readonly text: string;
  /** Who is said to have failed in the end, wholly or in part. */
  readonly failed: readonly string[];
  /** For whom something is said to stand in. */
  readonly replaced: readonly string[];
  /** Whether it claims that the whole answer holds. */
  readonly overclaim: boolean;
  /** Whether it says that something may not hold. */
  readonly hedge: boolean;
}

/** Precision and recall, from 0 to 1. */
export interface Ratio {
  readonly precision: number;
  readonly recall: number;
}

/** Figures on one half. `failures` and `substitutions` count pairs of text and party, the others texts. */
export interface Measured {
  readonly texts: number;
  readonly failures: Ratio;
  readonly overclaims: Ratio;
  readonly substitutions: Ratio;
  readonly hedges: Ratio;
}

/**
 * What the detector is worth on `sentences.jsonl`: texts in many styles that no renderer of this project wrote, with
 * negations, hedges, recoveries, quotations, failures of things in the world, and over-claims. The held-out half was
 * written before the rules and not looked at for them; the same hand wrote both, so text of strangers may be read less well.
 *
 * `twisted` is harder, and kept apart too: denials of failures and of successes, other people's words, questions with their
 * answers, what would have been, what only seemed so, what was mended, failures of things in the world. It is half of a set
 * that was written at once and split by a seeded shuffle before any rule for it was there (`stance.ts`). Failures were read in
 * it with a precision of 0.37 and a recall of 0.42 without those rules. Whoever wants to deceive the reader still can.
 *
 * A test measures all of them anew.
 */
export const MEASURED: { readonly [Part in "dev" | "held-out" | "twisted"]: Measured } = {
  dev: {
    texts: 328,
    failures: { precision: 0.992, recall: 0.984 },
    overclaims: { precision: 1, recall: 1 },
    substitutions: { precision: 1, recall: 0.8 },
    hedges: { precision: 1, recall: 1 },
  },
  "held-out": {
    texts: 109,
    failures: { precision: 0.959, recall: 0.887 },
    overclaims: { precision: 1, recall: 0.889 },
    substitutions: { precision: 1, recall: 0.833 },
    hedges: { precision: 0.714, recall: 1 },
  },
  twisted: {
    texts: 81,
    failures: { precision: 0.636, recall: 0.583 },
    overclaims: { precision: 1, recall: 1 },
    substitutions: { precision: 1, recall: 1 },
    hedges: { precision: 1, recall: 0 },
  },
};

/** Measures what was read of each text against its labels. */
export function measure(rows: readonly (readonly [Labelled, Statements])[]): Measured {
  const pairs = (names: Iterable<string | undefined>) => new Set([...names].filter((name) => name !== undefined));
  const flag = (is: boolean) => new Set(is ? ["yes"] : []);
  return {
    texts: rows.length,
    failures: ratio(rows.map(([row, { failures }]) => [pairs(row.failed), pairs(failures.map(({ party }) => party))])),
    overclaims: ratio(rows.map(([row, { overclaims }]) => [flag(row.overclaim), flag(overclaims.length > 0)])),
    substitutions: ratio(
      rows.map(([row, { substitutions }]) => [pairs(row.replaced), pairs(substitutions.map(({ party }) => party))]),
    ),
    hedges: ratio(rows.map(([row, { hedges }]) => [flag(row.hedge), flag(hedges.length > 0)])),
  };
}

function ratio(rows: readonly (readonly [truth: ReadonlySet<string>, found: ReadonlySet<string>])[]): Ratio {
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  const right = sum(([truth, found]) => truth.intersection(found).size);
  const rounded = (part: number, whole: number) => whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000;
  return {
    precision: rounded(right, sum(([, found]) => found.size)),
    recall: rounded(right, sum(([truth]) => truth.size)),
  };
}
