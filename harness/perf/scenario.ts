/** Cells to measure, made from the project's own scenarios. */
import { fileURLToPath } from "node:url";
import { CREWS, reference } from "../../agents/mod.ts";
import type { CellSpec } from "../runner/cell.ts";
import { findScenarios, resolveFound } from "../scenario/mod.ts";
import type { LaneName } from "../trace/event.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A cell of a scenario.
 *
 * @throws {Error} If there is no such scenario, or it is not valid.
 */
export async function cellOf(name: string, lane: LaneName): Promise<CellSpec> {
  const found = resolveFound(await findScenarios(`${PROJECT}scenarios`, [name], { cwd: PROJECT, base: PROJECT }));
  const scenario = found.ok ? found.value[0] : undefined;
  const crew = CREWS.get(scenario?.crew ?? "");
  if (scenario === undefined || crew === undefined) throw new Error(`${name} cannot be run`);
  const cell = {
    scenario: name,
    variant: null,
    lane,
    subject: reference.name,
    model: "scripted",
    seed: "0",
    repeat: 1,
  };
  return { cell, scenario, crew, subject: reference };
}
