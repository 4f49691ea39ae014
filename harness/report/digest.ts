/** What the tables of a report need of its cells, read in one pass: ten thousand cells need not be in memory for it. */
import type { Cell } from "../trace/event.ts";
import { type Finding, FindingList } from "./findings.ts";
import { type CellBrief, type CellGist, gistOf } from "./gist.ts";
import type { RunReport } from "./report.ts";
import { type Untested, UntestedList } from "./untested.ts";

/** All of it. */
export interface Digest {
  /** In the order of the cells. */
  readonly briefs: readonly CellBrief[];
  /** By outcome, worst first; see `readFindings`. */
  readonly findings: readonly Finding[];
  /** What could not be tested and is no finding. */
  readonly untested: readonly Untested[];
}

/** Most values that one looks for among those before: where each cell has others, it is of no use. */
const MAX_KNOWN = 1000;

/** Gives for a value the one before it that is written in the same way. */
function sameOnce<T>(): (value: T) => T {
  const known = new Map<string, T>();
  return (value) => {
    const key = JSON.stringify(value);
    const before = known.get(key);
    if (before === undefined && known.size < MAX_KNOWN) known.set(key, value);
    return before ?? value;
  };
}

/** Makes a digest, cell by cell. */
export class DigestMaker {
  readonly #briefs: CellBrief[] = [];
  readonly #findings = new FindingList();
  readonly #untested = new UntestedList();
  /** Repeats say the same words: each is kept once. */
  readonly #words = new Map<string, string>();
  /** And come to the same: so is that. */
  readonly #scores = sameOnce<CellBrief["scores"]>();
  readonly #parts = sameOnce<CellBrief["parts"]>();

  /** Adds the next cell. */
  add({ brief, others }: Pick<CellGist, "brief" | "others">): void {
    const { id, cell, crew, lost, lostBrief, scores, parts } = brief;
    this.#findings.addCell({ id, cell, checks: others });
    this.#untested.addCell({ cell, checks: others });
    this.#briefs.push({
      ...brief,
      cell: this.#cell(cell),
      crew: this.#word(crew),
      lost: this.#word(lost),
      lostBrief: this.#word(lostBrief),
      scores: this.#scores(scores),
      parts: this.#parts(parts),
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
  // Of faults a report holds the sums alone.
  for (const cell of report.cells) maker.add(gistOf({ report: cell, faults: [], listed: 0, parts: [] }));
  return keepDigest(report, maker.end(report));
}

/** Keeps a digest that was made along with its report. */
export function keepDigest(report: RunReport, digest: Digest): Digest {
  DIGESTS.set(report, digest);
  return digest;
}
