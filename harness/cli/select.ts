/** Selection as all commands have it: from the project's scenarios, or from where the user points. */
import { fileURLToPath } from "node:url";
import { findScenarios, type Found } from "../scenario/mod.ts";
import { UsageError } from "./exit.ts";
import type { CliIo } from "./io.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** The project's folder of scenarios. */
export const SCENARIOS_FOLDER = `${PROJECT}scenarios`;

/**
 * Finds scenarios.
 *
 * @throws {UsageError} If a selector is empty: what a script left out by mistake must not select everything.
 * @throws {NothingSelected} If a selector, or the whole, selects nothing.
 */
export async function select(selectors: readonly string[], io: CliIo): Promise<readonly Found[]> {
  if (selectors.some((selector) => selector.trim() === "")) {
    throw new UsageError("a selector is empty; leave it out to select everything");
  }
  return await findScenarios(SCENARIOS_FOLDER, selectors, { cwd: io.cwd, base: PROJECT });
}
