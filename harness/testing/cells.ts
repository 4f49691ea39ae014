/** What the tests of this folder share: the project's scenarios, and one cell of one of them. */
import { dirname, join, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { CREWS, reference, type Subject } from "../../agents/mod.ts";
import type { Lane } from "../lanes/lane.ts";
import { simLane } from "../lanes/sim.ts";
import { type CellSpec, runCell } from "../runner/cell.ts";
import type { CellResult } from "../runner/run.ts";
import { headed } from "../scenario/load.ts";
import {
  crewOf,
  type Expect,
  findScenarios,
  formatProblem,
  resolve,
  resolveFound,
  type Scenario,
} from "../scenario/mod.ts";
import { parseSource } from "../scenario/source.ts";
import type { Check } from "../score/check.ts";
import { scoreTrace } from "../score/score.ts";
import type { LaneName } from "../trace/event.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** A scenario with ground truth. */
export type WrittenScenario = Scenario & { readonly expect: Expect };

/** What selectors select of the project's scenarios, as on the command line. Of names of scenarios, only their files are read. */
export async function scenariosNamed(...selectors: string[]): Promise<readonly Scenario[]> {
  const root = `${PROJECT}scenarios`;
  const found = await findScenarios(root, selectors.map(pathOf), { cwd: PROJECT, base: PROJECT });
  const resolved = resolveFound(found);
  if (resolved.ok) return resolved.value;
  throw new Error(resolved.problems.map(formatProblem).join("\n"));
}

/** The same selector by the path of its file, where it is a scenario's name or a variant's. */
function pathOf(selector: string): string {
  const [name = "", ...variant] = selector.split("/");
  const path = files().get(name);
  return path === undefined || variant.length > 1 ? selector : [path, ...variant].join("/");
}

const known = new Map<string, WrittenScenario>();

/** A scenario by its name. Its own file is read, once, and no other. */
export function scenarioNamed(name: string): WrittenScenario {
  const before = known.get(name);
  if (before !== undefined) return before;
  const path = files().get(name);
  if (path === undefined) throw new RangeError(`no scenario ${name}`);
  const read = sourceAt(path);
  const world = read.ok ? read.value.value["world"] : undefined;
  const { result } = headed(read, path, typeof world === "string" ? sourceAt(join(dirname(path), world)) : NO_WORLD);
  const resolved = result.ok ? resolve(result.value, null) : result;
  if (!resolved.ok) throw new Error(resolved.problems.map(formatProblem).join("\n"));
  const { expect } = resolved.value;
  if (expect === undefined) throw new Error(`${name} has no ground truth`);
  const scenario = { ...resolved.value, expect };
  known.set(name, scenario);
  return scenario;
}

const NO_WORLD = { ok: true, value: null } as const;

function sourceAt(path: string): ReturnType<typeof parseSource> {
  return parseSource(Deno.readTextFileSync(path), relative(PROJECT, path));
}

let paths: ReadonlyMap<string, string> | undefined;

/** Paths of the scenarios' files, by name: each is called as its scenario is, see `misnamed`. */
function files(): ReadonlyMap<string, string> {
  return paths ??= new Map(
    CREW_FOLDERS.flatMap((folder) =>
      [...Deno.readDirSync(folder)].flatMap(({ name }) =>
        /^[^._].*\.yaml$/.test(name) ? [[name.slice(0, -".yaml".length), join(folder, name)] as const] : []
      )
    ),
  );
}

const CREW_FOLDERS = [...CREWS.keys()].map((crew) => `${PROJECT}scenarios/${crew}`);

/** What differs from the reference in `sim`. */
export interface CellOptions extends Partial<Pick<CellSpec, "crew" | "deadlineMs" | "signal">> {
  readonly subject?: Subject;
  readonly lane?: LaneName;
  readonly seed?: string;
}

/** A cell of a scenario, given by name or as it is. */
export function cellSpec(scenario: Scenario | string, options: CellOptions = {}): CellSpec {
  const { subject = reference, lane = "sim", seed = "0", crew, ...rest } = options;
  const resolved = typeof scenario === "string" ? scenarioNamed(scenario) : scenario;
  const team = crew ?? crewOf(resolved);
  const { name, variant } = resolved;
  return {
    cell: { scenario: name, variant, lane, subject: subject.name, model: "scripted", seed, repeat: 1 },
    scenario: resolved,
    crew: team,
    subject,
    ...rest,
  };
}

/** Runs and scores a cell, in a lane of its own if none is given. */
export async function runOne(spec: CellSpec, lane?: Lane): Promise<CellResult> {
  if (lane === undefined) {
    await using own = simLane();
    return await runOne(spec, own);
  }
  const trace = await runCell(spec, lane);
  return { trace, scorecard: scoreTrace(trace) };
}

/** The checks that did not pass, as `outcome id`. */
export function notGreen({ scorecard: { checks } }: Pick<CellResult, "scorecard">): string[] {
  return checks.filter(({ outcome }) => outcome !== "pass").map(({ id, outcome }) => `${outcome} ${id}`).sort();
}

/** A check by its id. */
export function checkNamed({ scorecard: { checks } }: Pick<CellResult, "scorecard">, id: string): Check {
  const found = checks.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`no check ${id}`);
  return found;
}
