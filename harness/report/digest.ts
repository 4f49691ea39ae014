/** What the tables of a report need of its cells, read in one pass: ten thousand cells need not be in memory for it. */
import type { Answer } from "../../agents/mod.ts";
import type { FaultedPart } from "../reliability/parts.ts";
import type { CellRow } from "../reliability/row.ts";
import type { Cell } from "../trace/event.ts";
import { type Finding, FindingList } from "./findings.ts";
import { describeLost, lostParts } from "./lost.ts";
import type { CellReport, RunReport } from "./report.ts";
import { type Untested, UntestedList } from "./untested.ts";

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

/** All of it. */
export interface Digest {
  /** In the order of the cells. */
  readonly briefs: readonly CellBrief[];
  /** By outcome, worst first; see `readFindings`. */
  readonly findings: readonly Finding[];
  /** What could not be tested and is no finding. */
  readonly untested: readonly Untested[];
}

/** What reports do not hold of a cell. */
interface More {
  readonly listed: number;
  readonly parts: readonly FaultedPart[];
}

/** Makes a digest, cell by cell. */
export class DigestMaker {
  readonly #briefs: CellBrief[] = [];
  readonly #findings = new FindingList();
  readonly #untested = new UntestedList();
  /** Repeats say the same words: each is kept once. */
  readonly #words = new Map<string, string>();

  /** Adds the next cell. */
  add(report: CellReport, { listed, parts }: More = { listed: 0, parts: [] }): void {
    this.#findings.addCell(report);
    this.#untested.addCell(report);
    const { id, cell, crew, outcome, answer, isText, makespan, scores, given } = report;
    const lost = lostParts(report);
    this.#briefs.push({
      id,
      cell: this.#cell(cell),
      crew: this.#word(crew),
      outcome,
      isGiven: given !== undefined,
      ...(answer === undefined ? {} : { answer: isText ? "text" : answer.status }),
      lost: this.#word(describeLost(lost)),
      lostBrief: this.#word(describeLost(lost, true)),
      scores: scores.map(({ id, unit, value }) => ({ id, unit, value })),
      makespan: makespan ?? null,
      faults: listed,
      parts,
    });
  }

  /** The digest, once all cells have been added. */
  end({ run }: Pick<RunReport, "run">): Digest {
    for (const check of run) this.#findings.add("", undefined, check);
    return { briefs: this.#briefs, findings: this.#findings.list(), untested: this.#untested.list() };
  }

  #word(text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    this.#words.set(text, text);
    return text;
  }

  #cell({ scenario, variant, subject, model, seed, ...rest }: Cell): Cell {
    return {
      ...rest,
      scenario: this.#word(scenario),
      variant: variant === null ? null : this.#word(variant),
      subject: this.#word(subject),
      model: this.#word(model),
      seed: this.#word(seed),
    };
  }
}

const DIGESTS = new WeakMap<RunReport, Digest>();

/** The digest of a report, read once. */
export function digestOf(report: RunReport): Digest {
  const known = DIGESTS.get(report);
  if (known !== undefined) return known;
  const maker = new DigestMaker();
  for (const cell of report.cells) maker.add(cell);
  return keepDigest(report, maker.end(report));
}

/** Keeps a digest that was made along with its report. */
export function keepDigest(report: RunReport, digest: Digest): Digest {
  DIGESTS.set(report, digest);
  return digest;
}
