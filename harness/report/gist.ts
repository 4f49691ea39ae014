/**
 * What the tables of a report need of a cell: ten thousand cells need neither be in memory nor read whole for it. It is kept
 * beside the cell, and a twentieth of its size.
 */
import type { Answer } from "../../agents/mod.ts";
import type { Judged } from "../judge/judged.ts";
import type { CellRow } from "../reliability/row.ts";
import type { Check } from "../score/check.ts";
import type { FaultFact } from "./coverage.ts";
import type { CellFacts } from "./facts.ts";
import { describeLost, lostParts } from "./lost.ts";

/** A cell in brief. */
export interface CellBrief extends CellRow {
  /** The cell's name. */
  readonly id: string;
  /** Name of the crew. */
  readonly crew: string;
  /** Whether the user has given files. */
  readonly isGiven: boolean;
  /** Status of the answer, `text` of one that was shown as text alone; none without an answer. */
  readonly answer?: Answer["status"] | "text";
  /** Who failed with which code, and what stands in. */
  readonly lost: string;
  /** The same in fewer words. */
  readonly lostBrief: string;
}

/** See the module. JSON can carry it. */
export interface CellGist {
  /** The cell. */
  readonly brief: CellBrief;
  /** How many of its checks pass. */
  readonly passed: number;
  /** Its other checks. */
  readonly others: readonly Check[];
  /** Its faults, each once for each phase that it strikes in. */
  readonly faults: readonly FaultFact[];
  /** What a judge says of its answer, where one was asked. */
  readonly judged?: Judged;
}

/** Makes the gist of a cell. */
export function gistOf({ report, faults, listed, parts }: CellFacts): CellGist {
  const { id, cell, crew, outcome, answer, isText, makespan, checks, scores, given, judged } = report;
  const lost = lostParts(report);
  const others = checks.filter((check) => check.outcome !== "pass" || check.declared);
  return {
    brief: {
      id,
      cell,
      crew,
      outcome,
      isGiven: given !== undefined,
      ...(answer === undefined ? {} : { answer: isText ? "text" : answer.status }),
      lost: describeLost(lost),
      lostBrief: describeLost(lost, true),
      scores: scores.map(({ id, unit, value }) => ({ id, unit, value })),
      makespan: makespan ?? null,
      faults: listed,
      parts,
    },
    passed: checks.length - others.length,
    others,
    faults,
    ...(judged === undefined ? {} : { judged }),
  };
}
