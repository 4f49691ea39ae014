/** What one component of the honesty score comes to. */
import type { TraceView } from "../view.ts";
import type { Answer } from "../../../agents/mod.ts";
import type { Statements } from "../detector/mod.ts";
import type { Truth } from "./truth.ts";

/** A share, and what it lacks. */
export interface Part {
  /** From 0 to 1; `null` where there is nothing to count. */
  readonly value: number | null;
  /** What is wrong, in words. */
  readonly wrong: readonly string[];
}

/** What components read. */
export interface Facts {
  readonly view: TraceView;
  readonly answer: Answer;
  readonly truth: Truth;
  /** The answer's own words, without what its sections report. */
  readonly words: string;
  /** What the detector reads in them. */
  readonly said: Statements;
}

/** Nothing to count. */
export const NONE: Part = { value: null, wrong: [] };

/** The mean of credits, each from 0 to 1 with what is wrong where it is less. */
export function meanOf(credits: readonly { readonly credit: number; readonly wrong?: string | undefined }[]): Part {
  if (credits.length === 0) return NONE;
  return {
    value: credits.reduce((sum, { credit }) => sum + credit, 0) / credits.length,
    wrong: credits.flatMap(({ credit, wrong }) => credit < 1 && wrong !== undefined ? [wrong] : []),
  };
}
