/** Selection as all commands have it: from the project's scenarios, or from where the user points. */
import { fileURLToPath } from "node:url";
import { findScenarios, type Found } from "../scenario/mod.ts";
import type { CliIo } from "./io.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Finds scenarios.
 *
 * @throws {NothingSelected} If a selector, or the whole, selects nothing.
 */
export function select(selectors: readonly string[], io: CliIo): Promise<readonly Found[]> {
  return findScenarios(`${PROJECT}scenarios`, selectors, { cwd: io.cwd, base: PROJECT });
}
