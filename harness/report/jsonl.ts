/**
 * The report as JSON lines: `{"type":"cell",…}`, one a line, in the order of the report, each a `CellReport`; and at the end
 * one `{"type":"run",…}` with what is said of the whole: `schema`, `outcome`, `summary`, `run` (checks over all cells) and
 * `coverage`. The same members as in the JSON report, so that a reader of one can read the other.
 */
import { canonicalJson } from "../../core/mod.ts";
import { escapeUnseen } from "./json.ts";
import type { RunReport } from "./report.ts";

/** Writes a report as JSON lines: sorted keys, a newline after each. The same report gives the same bytes. */
export function renderJsonLines(report: RunReport): string {
  return [...jsonLines(report)].join("");
}

/** {@linkcode renderJsonLines}, line by line. */
export function* jsonLines({ cells, ...run }: RunReport): Generator<string> {
  for (const cell of cells) yield line({ type: "cell", ...cell });
  yield line({ type: "run", ...run });
}

function line(value: object): string {
  return `${escapeUnseen(canonicalJson(value))}\n`;
}
