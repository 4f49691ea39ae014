/** What the tests of this folder share: the project's scenarios, and one cell of one of them. */
import { fileURLToPath } from "node:url";
import { reference, type Subject } from "../../agents/mod.ts";
import type { Lane } from "../lanes/lane.ts";
import { simLane } from "../lanes/sim.ts";
import { type CellSpec, runCell } from "../runner/cell.ts";
import type { CellResult } from "../runner/run.ts";
import { crewOf, type Expect, findScenarios, formatProblem, resolveFound, type Scenario } from "../scenario/mod.ts";
import type { Check } from "../score/check.ts";
import { scoreTrace } from "../score/score.ts";
import type { LaneName } from "../trace/event.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** A scenario with ground truth. */
export type WrittenScenario = Scenario & { readonly expect: Expect };

/** Every scenario and variant of the project that is written out, in order. */
export const SCENARIOS: readonly WrittenScenario[] = (await scenariosNamed()).map((scenario): WrittenScenario => {
  if (scenario.expect === undefined) throw new Error(`${scenario.name} has no ground truth`);
  return { ...scenario, expect: scenario.expect };
});

/** What selectors select of the project's scenarios, as on the command line. */
export async function scenariosNamed(...selectors: string[]): Promise<readonly Scenario[]> {
  const resolved = resolveFound(await findScenarios(`${PROJECT}scenarios`, selectors, { cwd: PROJECT, base: PROJECT }));
  if (resolved.ok) return resolved.value;
  throw new Error(resolved.problems.map(formatProblem).join("\n"));
}

/** A scenario by its name. */
export function scenarioNamed(name: string): WrittenScenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name && scenario.variant === null);
  if (found === undefined) throw new RangeError(`no scenario ${name}`);
  return found;
}

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
