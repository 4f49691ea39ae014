/**
 * Which cells the table has. The scenarios stand in `reports/expected_failures/frameworks/_*.yaml`, and each framework's file
 * beside them names those lists that its form of organisation can play.
 */
import { fileURLToPath } from "node:url";
import { type GatePlace, PROJECT } from "../../harness/gate/place.ts";
import { type ExpectedFailures, readExpected } from "../../harness/gate/read_expected.ts";
import { selectWhole } from "../../harness/gate/selection.ts";
import { cellName } from "../../harness/golden/compare.ts";
import { type Problem, type Scenario } from "../../harness/scenario/mod.ts";
import { findSubject, listSubjects, type SubjectEntry } from "../../harness/subjects/mod.ts";

/** Where the frameworks' files are. A folder of its own: the gate runs in `sim`, where no framework can. */
export const EXPECTED: string = fileURLToPath(
  new URL("../../reports/expected_failures/frameworks/", import.meta.url),
);

/** What people call it. */
const CALLED = "reports/expected_failures/frameworks";

/** Who stands beside the frameworks: the reference, and animals of the zoo that do what frameworks are suspected of. */
const BESIDE = ["reference", "liar", "dropper", "braggart"];

/** A subject with the scenarios that it is run in. */
export interface Row {
  readonly entry: SubjectEntry;
  /** What it is expected to get wrong; frameworks alone have any here. */
  readonly expected?: ExpectedFailures;
  readonly scenarios: readonly Scenario[];
}

/** The subjects with their scenarios, in the table's order, and what is wrong with the files. */
export async function readRows(place: GatePlace = PROJECT): Promise<{ rows: Row[]; problems: readonly Problem[] }> {
  const selection = await selectWhole([], place, place.base);
  const frameworks = listSubjects().filter(({ kind }) => kind === "framework");
  const { files, problems } = await readExpected(
    EXPECTED,
    CALLED,
    frameworks.map(({ name }) => name),
    selection.names,
  );
  // A list's name here means the cell itself, and not its variants: another variant may need what a framework has not.
  const meant = (names: ReadonlySet<string>) =>
    selection.scenarios.filter(({ name, variant }) => names.has(cellName(name, variant)));
  const everything = new Set([...files.values()].flatMap(({ scenarios = [] }) => scenarios));
  const beside = BESIDE.map((name): Row => ({ entry: findSubject(name), scenarios: meant(everything) }));
  const rows = frameworks.flatMap((entry): Row[] => {
    const expected = files.get(entry.name);
    if (expected === undefined) return [];
    return [{ entry, expected, scenarios: meant(new Set(expected.scenarios)) }];
  });
  const missing = frameworks.filter(({ name }) => problems.length === 0 && !files.has(name)).map((
    { name },
  ): Problem => ({
    file: `${CALLED}/${name}.yaml`,
    line: 1,
    column: 1,
    message: "is not there; it says in which scenarios the framework is run, and what it gets wrong",
  }));
  return { rows: [...beside, ...rows], problems: [...selection.problems, ...problems, ...missing] };
}
