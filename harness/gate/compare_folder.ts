/** Holds a folder of goldens against what the scenarios come to now. Pure. */
import { cellName, type Change, compareGoldens } from "../golden/compare.ts";
import { isSealed, renderGolden } from "../golden/file.ts";
import { type GoldenFolder, pathOf, TABLE } from "../golden/folder.ts";
import type { Golden } from "../golden/schema.ts";
import { renderTable } from "../golden/table.ts";
import type { CellResult } from "../runner/run.ts";

/**
 * Everything that is not as the folder has it: cells that have changed, new and stale goldens, and files that somebody
 * has edited. Whatever is not green is told too, whether or not its golden is the same: a golden excuses nothing.
 *
 * @param called What people call the folder.
 * @param goldens Made of the results, in their order.
 * @param isWhole Whether everything was run; if not, goldens of other scenarios are not stale.
 */
export function compareFolder(
  folder: GoldenFolder,
  called: string,
  goldens: readonly Golden[],
  results: readonly CellResult[],
  isWhole: boolean,
): Change[] {
  const changes: Change[] = [...editedByHand(folder, called)];
  const byScenario = Map.groupBy(results.map(({ trace }) => trace), ({ cell }) => cell.scenario);
  for (const golden of goldens) {
    const known = folder.files.get(pathOf(golden));
    const own = known?.golden === undefined
      ? known === undefined ? [fresh(golden.scenario)] : []
      : compareGoldens(known.golden, golden, byScenario.get(golden.scenario) ?? []);
    changes.push(...own, ...reds(golden, own));
  }
  const wanted = new Set(goldens.map(pathOf));
  for (const { name, file } of isWhole ? folder.files.values() : []) {
    if (wanted.has(name)) continue;
    changes.push({ where: file, severity: "entry", facts: ["stale: there is no such scenario any more"] });
  }
  return changes;
}

const fresh = (where: string): Change => ({ where, severity: "entry", facts: ["new: it has no golden"] });

/** Checks that are red and of which the comparison says nothing, because the golden has them too or there is none. */
function reds({ scenario, cells }: Golden, told: readonly Change[]): Change[] {
  return cells.flatMap(({ variant, checks, outcome }): Change[] => {
    const where = cellName(scenario, variant);
    const known = new Set(told.filter((change) => change.where === where).flatMap(({ facts }) => facts));
    const facts = checks.red.filter((line) => !known.has(line));
    if (facts.length === 0) return [];
    return [{ where, severity: outcome === "pass" ? "fail" : outcome, facts }];
  });
}

function editedByHand({ files, table }: GoldenFolder, called: string): Change[] {
  const edited = [...files.values()].flatMap(({ file, text, golden }): Change[] => {
    if (golden === undefined || isSealed(golden) && renderGolden(golden) === text) return [];
    const fact = isSealed(golden)
      ? "edited by hand: it holds what was written, but not as it was written"
      : "edited by hand, or put together by a merge: it does not hold what its own digest says";
    return [{ where: file, severity: "check", facts: [fact] }];
  });
  const goldens = [...files.values()].flatMap(({ golden }) => golden ?? []);
  const where = `${called}/${TABLE}`;
  if (goldens.length === 0 || table === renderTable(goldens)) return edited;
  const fact = table === undefined
    ? "is missing"
    : "edited by hand, or left behind: it is not the table of the goldens";
  return [...edited, { where, severity: "check", facts: [fact] }];
}
