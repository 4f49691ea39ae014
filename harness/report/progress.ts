/** What stderr shows while cells run. Text only: the caller writes. */
import type { Outcome } from "../score/check.ts";
import { draw, outcomeWord } from "./layout.ts";

/**
 * One line on how far the run is, for a terminal: write it after `\r`. It never gets shorter while a run goes on, so
 * each line covers the one before.
 *
 * @param done Cells that have ended.
 * @param total All cells.
 * @param outcomes Ended cells by outcome.
 */
export function progressLine(
  done: number,
  total: number,
  outcomes: Readonly<Record<Outcome, number>>,
  columns: number,
): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const size = Math.max(4, Math.min(24, columns - 60));
  const full = Math.floor(share * size);
  const { pass, fail, error, untestable } = outcomes;
  const counts = `${pass} pass  ${fail} fail  ${error} error  ${untestable} untestable`;
  const at = `${String(done).padStart(String(total).length)}/${total}`;
  return draw([`${"█".repeat(full)}${"░".repeat(size - full)} ${at}  ${counts}`], { columns, colour: false });
}

/** One line for a cell that has ended, for a log: a file or a pipe where nothing can be overwritten. */
export function progressEntry(
  done: number,
  total: number,
  { id, outcome }: { readonly id: string; readonly outcome: Outcome },
  columns: number,
): string {
  const at = `${String(done).padStart(String(total).length)}/${total}`;
  return draw([`${at}  ${outcomeWord(outcome).padEnd(4)}  ${id}`], { columns, colour: false });
}
