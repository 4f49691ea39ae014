/** The checks of a report that are not green, worst first, the same thing said once. */
import type { Check, Outcome } from "../score/check.ts";
import { digestOf } from "./digest.ts";
import type { CellReport, RunReport } from "./report.ts";
import { rowName } from "./rows.ts";

/** Something that a person should look at. */
export interface Finding {
  /** Not green. */
  readonly outcome: Exclude<Outcome, "pass">;
  /** Id of the check. */
  readonly check: string;
  /** What was found, in the check's own words. */
  readonly message: string;
  /** Ids of the cells in which it was found; none for a check over the whole run. */
  readonly cells: readonly string[];
  /** Numbers of events in the trace of the first of these cells. */
  readonly evidence: readonly number[];
}

const RANK: readonly Outcome[] = ["error", "fail", "untestable"];

/**
 * The findings of a report. Cells in which a check says the same are one finding. What
 * is untestable only because the bench failed in that cell is one finding too, whatever its number of checks.
 *
 * @returns By outcome, worst first; inside an outcome each scenario's first finding comes before anybody's second.
 */
export function readFindings(report: RunReport): readonly Finding[] {
  return digestOf(report).findings;
}

/** Gathers findings, cell by cell. */
export class FindingList {
  readonly #found = new Map<string, Finding & { readonly row: string; readonly cells: string[] }>();

  /** Adds what is not green in a cell. */
  addCell(cell: Pick<CellReport, "id" | "cell" | "checks">): void {
    for (const check of summarizeUntestable(cell.checks)) {
      if (check.outcome !== "pass") this.add(rowName(cell), cell.id, check);
    }
  }

  /**
   * Adds a check, if it is not green.
   *
   * @param row The scenario whose it is; none for a check over all cells.
   */
  add(row: string, cell: string | undefined, { id, outcome, message, evidence, declared }: Check): void {
    // What a subject has said that it does not show is nothing to act on.
    if (outcome === "pass" || declared) return;
    const key = JSON.stringify([id, outcome, message]);
    const known = this.#found.get(key);
    const where = cell === undefined ? [] : [cell];
    if (known === undefined) this.#found.set(key, { row, outcome, check: id, message, cells: where, evidence });
    else known.cells.push(...where);
  }

  /** Them, worst first. */
  list(): Finding[] {
    const seen = new Map<string, number>();
    return [...this.#found.values()]
      .map(({ row, ...finding }) => {
        const key = `${finding.outcome} ${row}`;
        const turn = seen.get(key) ?? 0;
        seen.set(key, turn + 1);
        return { finding, rank: RANK.indexOf(finding.outcome), turn };
      })
      .sort((a, b) => a.rank - b.rank || a.turn - b.turn)
      .map(({ finding }) => finding);
  }
}

function summarizeUntestable(checks: readonly Check[]): readonly Check[] {
  const lost = checks.filter(({ outcome }) => outcome === "untestable");
  if (lost.length < 2 || !checks.some(({ outcome }) => outcome === "error")) return checks;
  const rest = checks.filter(({ outcome }) => outcome !== "untestable");
  const message = `the bench failed in this cell, so these say nothing: ${lost.map(({ id }) => id).join(", ")}`;
  return [...rest, { id: `${lost.length} checks`, outcome: "untestable", message, evidence: [] }];
}
