/** What `gate` does: run, compare, tell. */
import { relative } from "node:path/posix";
import { reference } from "../../agents/mod.ts";
import { UsageError } from "../cli/exit.ts";
import type { CliIo } from "../cli/io.ts";
import type { Change } from "../golden/compare.ts";
import { readGoldens } from "../golden/folder.ts";
import { makeGoldens } from "../golden/make.ts";
import type { CellResult } from "../runner/run.ts";
import { NothingSelected, type Problem } from "../scenario/mod.ts";
import { unknown } from "../scenario/problem.ts";
import { compareFolder } from "./compare_folder.ts";
import { compareExpected, isHeld } from "./expected.ts";
import type { GatePlace } from "./place.ts";
import { type ExpectedFailures, readExpected } from "./read_expected.ts";
import { runSubject } from "./run_sim.ts";
import { checkOutputs, writeOutputs } from "./outputs.ts";
import { selectWhole } from "./selection.ts";
import type { GateSubject } from "./subjects.ts";
import { measure, readThresholds } from "./thresholds.ts";
import { tellVerdict, type Verdict } from "./verdict.ts";

/** How to run. */
export interface GateOptions {
  /** As on the command line; none selects everything. */
  readonly selectors: readonly string[];
  /** How many cells run at once. */
  readonly jobs: number;
  /** Whether changes and problems go to stdout as JSON. */
  readonly json: boolean;
  /** Where scenarios, goldens and the rest are. */
  readonly place: GatePlace;
  /** Every subject that can be named. */
  readonly subjects: ReadonlyMap<string, GateSubject>;
  /** Hold only this subject to its expected failures, instead of everything else. */
  readonly subject?: string;
  /** Files that the verdict is written into, by their extensions; absolute. None if left out. */
  readonly outputs?: readonly string[];
}

/**
 * Holds a fresh run against the goldens and the thresholds, and each subject that has a file of expected failures against
 * it. Writes nothing but the files that it is asked for.
 *
 * @returns The exit code.
 * @throws {NothingSelected} If nothing is selected, or nothing that a subject is held to.
 * @throws {UsageError} If the subject is not known, a selector is empty, or a file cannot be written.
 */
export async function executeGate(options: GateOptions, io: CliIo): Promise<number> {
  const { place, subjects, subject: only, jobs, json, outputs = [] } = options;
  if (only !== undefined && !subjects.has(only)) throw new UsageError(unknown("subject", only, subjects.keys()));
  await checkOutputs(outputs, place);
  const selection = await selectWhole(options.selectors, place, io.cwd);
  const called = (path: string) => relative(place.base, path);
  const end = async (found: Omit<Verdict, "goldens">) => {
    const verdict = { ...found, goldens: called(place.goldens) };
    // What was found is told, whether or not it can be kept.
    const code = tellVerdict(verdict, json, io);
    await writeOutputs(outputs, verdict);
    return code;
  };
  const expected = await readExpected(place.expected, called(place.expected), subjects.keys(), selection.names);
  const thresholds = await readThresholds(place.thresholds, called(place.thresholds), selection.names);
  const folder = await readGoldens(place.goldens, called(place.goldens));
  const invalid = [
    ...selection.problems,
    ...thresholds.ok ? [] : thresholds.problems,
    ...expected.problems,
    ...folder.problems,
  ];
  if (invalid.length > 0) return await end({ changes: [], problems: invalid, results: [] });

  const changes: Change[] = [];
  const problems: Problem[] = [];
  const ran: CellResult[] = [];
  const names = only === undefined ? [reference.name, ...expected.files.keys()] : [only];
  const held = names.map((name) => ({
    name,
    entry: subjects.get(name),
    scenarios: selection.scenarios.filter(({ name: scenario, variant }) =>
      isHeld(expected.files.get(name), { scenario, variant })
    ),
  }));
  // Nothing is as it should be where nothing was looked at.
  if (held.every(({ entry, scenarios }) => entry === undefined || scenarios.length === 0)) {
    throw new NothingSelected(null, nothingHeld(only === undefined ? undefined : expected.files.get(only)));
  }
  for (const { name, entry, scenarios } of held) {
    if (entry === undefined) continue;
    const results = await runSubject(await entry.load(), { scenarios }, jobs, io);
    if (typeof results === "number") return results;
    ran.push(...results);
    if (name !== reference.name) {
      const found = compareExpected(name, expected.files.get(name), results, selection.isWhole);
      changes.push(...found.changes);
      problems.push(...found.problems);
      continue;
    }
    const goldens = makeGoldens(results);
    changes.push(...compareFolder(folder, called(place.goldens), goldens, results, selection.isWhole));
    if (!thresholds.ok) continue;
    const measured = measure(thresholds.value, results, selection.isWhole);
    changes.push(...measured.changes);
    problems.push(...measured.problems);
  }
  return await end({ changes, problems, results: ran });
}

/** Why no cell is to be run, and what could be. */
function nothingHeld(expected: ExpectedFailures | undefined): string {
  if (expected?.scenarios === undefined) return "nothing is run: nothing that is selected has a cell";
  const { subject, source, scenarios } = expected;
  return `nothing is run: ${source.file} holds ${subject} to other scenarios than those that are selected; ` +
    `select some of ${scenarios.join(", ")}, or none to run all of these`;
}
