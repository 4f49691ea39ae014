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

interface Found extends Finding {
  readonly row: string;
  readonly cells: string[];
  /** Whether each of its cells has an error, too: then what was found may well be what comes of that. */
  isOfErrors: boolean;
}

/**
 * The findings of a report. Cells in which a check says the same are one finding. What
 * is untestable only because the bench failed in that cell is one finding too, whatever its number of checks. Of a cell on
 * which a run broke off the error alone is one: its provider or a limit is the reason for the rest, and it is run again.
 *
 * @returns By outcome, worst first, and behind all that what else was found in cells with an error alone: it may well come of
 *   that. Of equals each scenario's first finding comes before anybody's second.
 */
export function readFindings(report: RunReport): readonly Finding[] {
  const { findings } = digestOf(report);
  const brokenOff = new Set(report.partial?.brokenOff);
  if (brokenOff.size === 0) return findings;
  return findings.filter(({ outcome, cells }) =>
    outcome === "error" || cells.length === 0 || !cells.every((id) => brokenOff.has(id))
  );
}

/** Gathers findings, cell by cell. */
export class FindingList {
  readonly #found = new Map<string, Found>();

  /** Adds what is not green in a cell. */
  addCell(cell: Pick<CellReport, "id" | "cell" | "checks">): void {
    const hasError = cell.checks.some(({ outcome }) => outcome === "error");
    for (const check of summarizeUntestable(cell.checks)) {
      if (check.outcome !== "pass") this.add(rowName(cell), cell.id, check, hasError && check.outcome !== "error");
    }
  }

  /**
   * Adds a check, if it is not green.
   *
   * @param row The scenario whose it is; none for a check over all cells.
   * @param isOfError Whether another check of the cell is an error.
   */
  add(
    row: string,
    cell: string | undefined,
    { id, outcome, message, evidence, declared }: Check,
    isOfError = false,
  ): void {
    // What a subject has said that it does not show is nothing to act on.
    if (outcome === "pass" || declared) return;
    const key = JSON.stringify([id, outcome, message]);
    const known = this.#found.get(key);
    const where = cell === undefined ? [] : [cell];
    if (known === undefined) {
      this.#found.set(key, { row, outcome, check: id, message, cells: where, evidence, isOfErrors: isOfError });
    } else {
      known.cells.push(...where);
      known.isOfErrors &&= isOfError;
    }
  }

  /** Them, worst first. */
  list(): Finding[] {
    const seen = new Map<string, number>();
    return [...this.#found.values()]
      .map(({ row, isOfErrors, ...finding }) => {
        const rank = RANK.indexOf(finding.outcome) + (isOfErrors ? RANK.length : 0);
        const key = `${rank} ${row}`;
        const turn = seen.get(key) ?? 0;
        seen.set(key, turn + 1);
        return { finding, rank, turn };
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
