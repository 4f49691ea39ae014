/**
 * The report as JSON lines: `{"type":"cell",…}`, one a line, in the order of the report, each a `CellReport`; and at the end
 * one `{"type":"run",…}` with what is said of the whole: `schema`, `outcome`, `summary`, `run` (checks over all cells) and
 * `coverage`. The same members as in the JSON report, so that a reader of one can read the other.
 */
import { canonicalJson } from "../../core/mod.ts";
import { escapeUnseen } from "./json.ts";
import type { RunReport } from "./report.ts";

/** Writes a report as JSON lines: sorted keys, a newline after each. The same report gives the same bytes. */
export function renderJsonLines({ cells, ...run }: RunReport): string {
  const lines = [...cells.map((cell) => ({ type: "cell", ...cell })), { type: "run", ...run }];
  return lines.map((line) => `${escapeUnseen(canonicalJson(line))}\n`).join("");
}
