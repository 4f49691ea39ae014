/**
 * `reports/expected_failures/<subject>.yaml`: what a subject is known to get wrong, with the reason for each; and
 * `_<list>.yaml` beside them, which are lists of scenarios that several such files name.
 */
import { basename, join } from "node:path/posix";
import * as z from "zod";
import { check as validate } from "../scenario/issues.ts";
import { type Problem, quote, tidy, unknown } from "../scenario/problem.ts";
import { type Path, readSource, type Source } from "../scenario/source.ts";
import { type Names, overlaps, scopeFlaw } from "./scope.ts";

/** What a file of scenarios is called by. */
const LIST = "_";

/** Cells: `scenario`, which means its variants too, `scenario/variant`, or a glob over these. */
const Cells = z.string().min(1);

const Entry = z.strictObject({
  /** The cells. Each of those that are listed is an entry of its own. */
  scenario: z.union([Cells, z.array(Cells).min(1)]),
  /** Ids of the checks, as a glob. */
  checks: z.string().min(1),
  /** Why this is so. */
  reason: z.string().min(1),
});

/** The file of a subject. */
const ExpectedFile = z.strictObject({
  /** Name of the subject; the file is called by it. */
  subject: z.string().min(1),
  /** What the subject is run in: cells, and names of lists (`_zoo`). Everything if left out. */
  scenarios: z.array(Cells).min(1).exactOptional(),
  expected: z.array(Entry).min(1),
});

/** The file of a list. */
const ListFile = z.strictObject({ scenarios: z.array(Cells).min(1) });

/** One thing that is expected to go wrong. */
export interface ExpectedEntry {
  /** The cells. */
  readonly scenario: string;
  /** Ids of the checks, as a glob. */
  readonly checks: string;
  /** Where it stands in the file, and where its checks do. */
  readonly path: Path;
  readonly checksPath: Path;
}

/** What a subject is expected to get wrong. */
export interface ExpectedFailures {
  readonly source: Source;
  readonly subject: string;
  /** What it is run in; everything if there is nothing. */
  readonly scenarios?: readonly string[];
  readonly entries: readonly ExpectedEntry[];
}

/** The files that were read, and what is wrong with others. */
export interface ExpectedFolder {
  /** By subject. */
  readonly files: ReadonlyMap<string, ExpectedFailures>;
  readonly problems: readonly Problem[];
}

/**
 * Reads all files of the folder. A file about the reference is a problem: it must have no failures. So is a list that no
 * file names.
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
  const problems: Problem[] = [];
  const sources: Source[] = [];
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(".yaml")) {
      const message = "is not read: expected failures are in files called by a subject, as in liar.yaml";
      problems.push({ file: join(called, name), line: 1, column: 1, message });
      continue;
    }
    const read = await readSource(join(folder, name), join(called, name));
    if (read.ok) sources.push(read.value);
    else problems.push(...read.problems);
  }
  const isList = ({ file }: Source) => basename(file).startsWith(LIST);
  const lists = new Map<string, readonly string[]>();
  for (const source of sources.filter(isList)) {
    const parsed = validate(ListFile, source.value, (path, text, part) => source.problem(path, text, part));
    const found = "problems" in parsed ? parsed.problems : flawsOf(parsed.value.scenarios, source, names);
    problems.push(...tidy(found));
    // One with a flaw is there all the same: whoever names it must not be told otherwise.
    lists.set(basename(source.file, ".yaml"), "problems" in parsed ? [] : parsed.value.scenarios);
  }
  const known = [...subjects];
  const files = new Map<string, ExpectedFailures>();
  const used = new Set<string>();
  for (const source of sources.filter((one) => !isList(one))) {
    const parsed = validate(ExpectedFile, source.value, (path, text, part) => source.problem(path, text, part));
    if ("problems" in parsed) {
      problems.push(...tidy(parsed.problems));
      continue;
    }
    const { subject, scenarios, expected } = parsed.value;
    for (const one of scenarios ?? []) used.add(one);
    const held = scenarios?.flatMap((one) => lists.get(one) ?? [one]);
    const entries = expected.flatMap(entriesOf);
    const own = [
      ...subjectFlaws(subject, basename(source.file, ".yaml"), known).map((text) => source.problem(["subject"], text)),
      ...flawsOf(scenarios ?? [], source, names, lists),
      ...entries.flatMap(({ scenario, path }) => {
        const flaw = scopeFlaw(scenario, names) ?? outsideOf(scenario, held, names);
        return flaw === undefined ? [] : [source.problem(path, flaw)];
      }),
    ];
    problems.push(...tidy(own));
    if (own.length > 0) continue;
    files.set(subject, { source, subject, entries, ...(held === undefined ? {} : { scenarios: held }) });
  }
  const needless = sources.filter((source) => isList(source) && !used.has(basename(source.file, ".yaml")));
  if (problems.length === 0) {
    problems.push(...needless.map((source) => source.problem(["scenarios"], "no file names this list; take it out")));
  }
  return { files, problems };
}

function entriesOf({ scenario, checks }: z.infer<typeof Entry>, i: number): ExpectedEntry[] {
  const checksPath = ["expected", i, "checks"];
  const path = ["expected", i, "scenario"];
  if (typeof scenario === "string") return [{ scenario, checks, path, checksPath }];
  return scenario.map((one, j) => ({ scenario: one, checks, path: [...path, j], checksPath }));
}

/** What is wrong with a list of cells. */
function flawsOf(
  scenarios: readonly string[],
  source: Source,
  names: Names,
  lists: ReadonlyMap<string, unknown> = new Map(),
): Problem[] {
  return scenarios.flatMap((one, i) => {
    if (lists.has(one)) return [];
    const flaw = one.startsWith(LIST) ? unknown("list of scenarios", one, lists.keys()) : scopeFlaw(one, names);
    return flaw === undefined ? [] : [source.problem(["scenarios", i], flaw)];
  });
}

function outsideOf(scenario: string, held: readonly string[] | undefined, names: Names): string | undefined {
  if (held === undefined || held.some((one) => overlaps(scenario, one, names))) return undefined;
  return `${quote(scenario)} is not among the scenarios of this file, so nothing of it is run`;
}

function subjectFlaws(subject: string, stem: string, known: readonly string[]): string[] {
  if (subject === "reference") return ["the reference has no expected failures: what it gets wrong is to be mended"];
  if (!known.includes(subject)) return [unknown("subject", subject, known.filter((name) => name !== "reference"))];
  return subject === stem ? [] : [`the file is called ${quote(`${stem}.yaml`)}; it must be called by the subject`];
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
