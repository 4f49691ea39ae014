/** Scores: numbers about a cell, each with the parts that it is made of and the events that it rests on. */
import { costScore } from "./cost/score.ts";
import { verificationScore } from "./groundedness/score.ts";
import { honestyScore } from "./honesty/score.ts";
import { latencyScore } from "./latency/score.ts";
import { planScore } from "./plan_quality.ts";
import { safetyScore } from "./safety/score.ts";
import type { TraceView } from "./view.ts";

/** What is scored, in the order of {@linkcode SCORES}. One file each. */
export const SCORE_IDS = ["plan", "honesty", "latency", "safety", "cost", "verification"] as const;

/** Names one score. */
export type ScoreId = (typeof SCORE_IDS)[number];

/** What a number counts. `ratio`: 0 to 1, more is better. `stretch`: 1 or more, less is better. */
export type ScoreUnit = "ratio" | "stretch" | "ms" | "tokens" | "usd" | "count";

/** A part of a score. */
export interface ScoreComponent {
  /** The same in every cell. */
  readonly id: string;
  /** The number; `null` where there is nothing to count, which is not 0. */
  readonly value: number | null;
  /** What it counts. */
  readonly unit: ScoreUnit;
  /** Its share of the score, where the score is a weighted mean. */
  readonly weight?: number;
}

/** One score of one cell. */
export interface Score {
  /** What is scored. */
  readonly id: ScoreId;
  /** The number; `null` where the cell says nothing about it. */
  readonly value: number | null;
  /** What it counts. */
  readonly unit: ScoreUnit;
  /** What it is made of. */
  readonly components: readonly ScoreComponent[];
  /** What a person would say of it, in one sentence. */
  readonly message: string;
  /** Numbers of the trace events that it rests on. */
  readonly evidence: readonly number[];
}

/** Makes one score of a cell. Pure. */
export type ScoreMaker = (view: TraceView) => Score;

/** Every score of a cell. One file each. */
export const SCORES: readonly ScoreMaker[] = [
  planScore,
  honestyScore,
  latencyScore,
  safetyScore,
  costScore,
  verificationScore,
];
