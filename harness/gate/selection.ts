/** What goldens and gate run: scenarios with their variants that are written out, in `sim`, with seed 0. */
import type { Subject } from "../../agents/mod.ts";
import { UsageError } from "../cli/exit.ts";
import { cellName } from "../golden/compare.ts";
import type { CellSpec } from "../runner/cell.ts";
import {
  crewOf,
  findScenarios,
  type Found,
  type Problem,
  resolveFound,
  type Scenario,
  variantsIn,
} from "../scenario/mod.ts";
import type { GatePlace } from "./place.ts";
import type { Names } from "./scope.ts";

/** What was selected. */
export interface Selection {
  /** Whether it is everything. */
  readonly isWhole: boolean;
  readonly scenarios: readonly Scenario[];
  /** All names there are, whatever was selected. */
  readonly names: Names;
  /** What is wrong with the selected files; no scenario then. */
  readonly problems: readonly Problem[];
}

/**
 * Selects scenarios, each with all its variants that are written out: a golden is about all of them.
 *
 * @param cwd What relative paths among the selectors are relative to.
 * @throws {NothingSelected} If a selector, or the whole, selects nothing.
 * @throws {UsageError} If a selector is empty.
 */
export async function selectWhole(
  selectors: readonly string[],
  { scenarios: root, base }: GatePlace,
  cwd: string,
): Promise<Selection> {
  if (selectors.some((selector) => selector.trim() === "")) {
    throw new UsageError("a selector is empty; leave it out to select everything");
  }
  const all = await findScenarios(root, [], { cwd, base });
  const found = selectors.length === 0 ? all : await findScenarios(root, selectors, { cwd, base });
  const resolved = resolveFound(found.map((one) => ({ ...one, variants: writtenOf(one) })));
  return {
    isWhole: selectors.length === 0,
    scenarios: resolved.ok ? resolved.value : [],
    names: {
      crews: new Set([...all, ...found].map(({ crew }) => crew)),
      cells: new Set([...all, ...found].flatMap((one) => writtenOf(one).map((variant) => cellName(one.name, variant)))),
    },
    problems: resolved.ok ? [] : resolved.problems,
  };
}

/** The cells of a subject. */
export function cellsFor(subject: Subject, scenarios: readonly Scenario[]): CellSpec[] {
  return scenarios.map((scenario) => ({
    cell: {
      scenario: scenario.name,
      variant: scenario.variant,
      lane: "sim",
      subject: subject.name,
      model: "scripted",
      seed: "0",
      repeat: 1,
    },
    scenario,
    crew: crewOf(scenario),
    subject,
  }));
}

const writtenOf = ({ result }: Found): (string | null)[] => [
  null,
  ...result.ok ? variantsIn(result.value.content).written.keys() : [],
];
