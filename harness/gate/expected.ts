/** Holds a subject's run against what it is expected to get wrong. */
import { cellName, type Change } from "../golden/compare.ts";
import type { CellResult } from "../runner/run.ts";
import { glob } from "../scenario/glob.ts";
import { type Problem, unknown } from "../scenario/problem.ts";
import type { Check } from "../score/check.ts";
import type { ExpectedFailures } from "./read_expected.ts";
import { isAbout } from "./scope.ts";
import type { Measured } from "./thresholds.ts";

/** Whether a cell is one of those in which a subject is held to its file. */
export function isHeld(
  expected: Pick<ExpectedFailures, "scenarios"> | undefined,
  cell: { readonly scenario: string; readonly variant: string | null },
): boolean {
  return expected?.scenarios === undefined || expected.scenarios.some((one) => isAbout(one, cell));
}

/**
 * Holds a subject's run against what it is expected to get wrong.
 *
 * @param expected `undefined` expects nothing to go wrong.
 * @param isWhole Whether everything that the file is about was run; if not, nothing can be called stale.
 */
export function compareExpected(
  subject: string,
  expected: ExpectedFailures | undefined,
  results: readonly CellResult[],
  isWhole: boolean,
): Measured {
  const entries = (expected?.entries ?? []).map((entry) => ({
    ...entry,
    isMeant: glob(entry.checks),
    seen: 0,
    red: 0,
  }));
  const changes: Change[] = [];
  for (const { trace: { cell }, scorecard: { checks } } of results) {
    const facts: string[] = [];
    const about = entries.filter(({ scenario }) => isAbout(scenario, cell));
    for (const check of checks) {
      const meant = about.filter(({ isMeant }) => isMeant(check.id));
      for (const entry of meant) entry.seen++;
      if (isGood(check)) continue;
      for (const entry of meant) entry.red++;
      if (meant.length === 0 || !canBeExpected(check)) facts.push(`${check.outcome} ${check.id}: ${check.message}`);
    }
    if (facts.length === 0) continue;
    const where = `${subject}: ${cellName(cell.scenario, cell.variant)}`;
    changes.push({ where, severity: worst(facts), facts: facts.map((fact) => `not expected: ${fact}`) });
  }
  const problems: Problem[] = [];
  for (const { checks, scenario, seen, red, path, checksPath } of entries) {
    if (expected === undefined || red > 0 || !isWhole) continue;
    const { source } = expected;
    if (seen > 0) {
      const { line } = source.place(path);
      const fact = `stale: ${checks} of ${scenario} goes well now; take the entry out`;
      changes.push({ where: `${source.file}:${line}`, severity: "entry", facts: [fact] });
    } else {
      const ids = results.filter(({ trace }) => isAbout(scenario, trace.cell)).flatMap(({ scorecard }) =>
        scorecard.checks.map(({ id }) => id)
      );
      problems.push(source.problem(checksPath, unknown("check", checks, ids)));
    }
  }
  return { changes, problems };
}

/** What the subject has declared that it does not show is not held against it. */
const isGood = ({ outcome, declared }: Check): boolean => outcome === "pass" || declared === true;

/** What the bench itself got wrong is nobody's expected failure; a script that a stranger does not follow is. */
const canBeExpected = ({ id, outcome }: Check): boolean => outcome !== "error" || id === "run.script";

function worst(facts: readonly string[]): "error" | "fail" | "untestable" {
  return (["error", "fail"] as const).find((outcome) => facts.some((fact) => fact.startsWith(outcome))) ?? "untestable";
}
