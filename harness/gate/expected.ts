/** `reports/expected_failures/<subject>.yaml`: what a subject is known to get wrong, with the reason for each. */
import { basename, join } from "node:path/posix";
import * as z from "zod";
import { cellName, type Change } from "../golden/compare.ts";
import type { CellResult } from "../runner/run.ts";
import { glob } from "../scenario/glob.ts";
import { check as validate } from "../scenario/issues.ts";
import { type Problem, quote, tidy, unknown } from "../scenario/problem.ts";
import { readSource, type Source } from "../scenario/source.ts";
import type { Check } from "../score/check.ts";
import { isAbout, type Names, scopeFlaw } from "./scope.ts";
import type { Measured } from "./thresholds.ts";

const Entry = z.strictObject({
  /** The cells: `scenario`, which means its variants too, `scenario/variant`, or a glob over these. */
  scenario: z.string().min(1),
  /** Ids of the checks, as a glob. */
  checks: z.string().min(1),
  /** Why this is so. */
  reason: z.string().min(1),
});

/** The file. */
const ExpectedFile = z.strictObject({
  /** Name of the subject; the file is called by it. */
  subject: z.string().min(1),
  expected: z.array(Entry).min(1),
});

/** What a subject is expected to get wrong. */
export interface ExpectedFailures {
  readonly source: Source;
  readonly subject: string;
  readonly entries: readonly z.infer<typeof Entry>[];
}

/** The files that were read, and what is wrong with others. */
export interface ExpectedFolder {
  /** By subject. */
  readonly files: ReadonlyMap<string, ExpectedFailures>;
  readonly problems: readonly Problem[];
}

/**
 * Reads all files of the folder. A file about the reference is a problem: it must have no failures.
 *
 * @param called What people call the folder.
 * @param subjects Names of the subjects there are.
 */
export async function readExpected(
  folder: string,
  called: string,
  subjects: Iterable<string>,
  names: Names,
): Promise<ExpectedFolder> {
  const files = new Map<string, ExpectedFailures>();
  const problems: Problem[] = [];
  const known = [...subjects];
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(".yaml")) {
      const message = "is not read: expected failures are in files called by a subject, as in liar.yaml";
      problems.push({ file: join(called, name), line: 1, column: 1, message });
      continue;
    }
    const read = await readSource(join(folder, name), join(called, name));
    if (!read.ok) {
      problems.push(...read.problems);
      continue;
    }
    const source = read.value;
    const parsed = validate(ExpectedFile, source.value, (path, text, part) => source.problem(path, text, part));
    if ("problems" in parsed) {
      problems.push(...tidy(parsed.problems));
      continue;
    }
    const { subject, expected } = parsed.value;
    const own = [
      ...subjectFlaws(subject, basename(name, ".yaml"), known).map((text) => source.problem(["subject"], text)),
      ...expected.flatMap(({ scenario }, i) => {
        const flaw = scopeFlaw(scenario, names);
        return flaw === undefined ? [] : [source.problem(["expected", i, "scenario"], flaw)];
      }),
    ];
    problems.push(...tidy(own));
    if (own.length === 0) files.set(subject, { source, subject, entries: expected });
  }
  return { files, problems };
}

function subjectFlaws(subject: string, stem: string, known: readonly string[]): string[] {
  if (subject === "reference") return ["the reference has no expected failures: what it gets wrong is to be mended"];
  if (!known.includes(subject)) return [unknown("subject", subject, known.filter((name) => name !== "reference"))];
  return subject === stem ? [] : [`the file is called ${quote(`${stem}.yaml`)}; it must be called by the subject`];
}

/**
 * Holds a subject's run against what it is expected to get wrong.
 *
 * @param expected `undefined` expects nothing to go wrong.
 * @param isWhole Whether everything was run; if not, nothing can be called stale.
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
    for (const check of checks) {
      const meant = entries.filter(({ scenario, isMeant }) => isAbout(scenario, cell) && isMeant(check.id));
      for (const entry of meant) entry.seen++;
      if (check.outcome === "pass") continue;
      for (const entry of meant) entry.red++;
      if (meant.length === 0 || !canBeExpected(check)) facts.push(`${check.outcome} ${check.id}: ${check.message}`);
    }
    if (facts.length === 0) continue;
    const where = `${subject}: ${cellName(cell.scenario, cell.variant)}`;
    changes.push({ where, severity: worst(facts), facts: facts.map((fact) => `not expected: ${fact}`) });
  }
  const problems: Problem[] = [];
  for (const [i, { checks, scenario, seen, red }] of entries.entries()) {
    if (expected === undefined || red > 0 || !isWhole) continue;
    const { source } = expected;
    if (seen > 0) {
      const { line } = source.place(["expected", i]);
      const fact = `stale: ${checks} of ${scenario} goes well now; take the entry out`;
      changes.push({ where: `${source.file}:${line}`, severity: "entry", facts: [fact] });
    } else {
      const ids = results.filter(({ trace }) => isAbout(scenario, trace.cell)).flatMap(({ scorecard }) =>
        scorecard.checks.map(({ id }) => id)
      );
      problems.push(source.problem(["expected", i, "checks"], unknown("check", checks, ids)));
    }
  }
  return { changes, problems };
}

/** What the bench itself got wrong is nobody's expected failure; a script that a stranger does not follow is. */
const canBeExpected = ({ id, outcome }: Check): boolean => outcome !== "error" || id === "run.script";

function worst(facts: readonly string[]): "error" | "fail" | "untestable" {
  return (["error", "fail"] as const).find((outcome) => facts.some((fact) => fact.startsWith(outcome))) ?? "untestable";
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) if (isFile) names.push(name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort();
}
