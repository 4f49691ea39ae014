/**
 * Scenarios: what they may say, reading them, and saying exactly where one is wrong.
 *
 * @module
 */
export { type FindOptions, findScenarios, type Found, NothingSelected, resolveFound } from "./find.ts";
export { type Crewed, crewOf } from "./crew.ts";
export { scenarioJsonSchema } from "./json_schema.ts";
export { type InputFile, MAX_INPUT_BYTES, withInput } from "./input.ts";
export { type Headed, type Loaded, loadScenario, type Parsed } from "./load.ts";
export { formatProblem, type Position, type Problem, type Result } from "./problem.ts";
export { expansionOf, resolve, resolveAll } from "./resolve.ts";
export { type Expansion, type Inapplicable } from "./expand.ts";
export { misnamed } from "./misnamed.ts";
export { type VariantsIn, variantsIn } from "./variants.ts";
export { Expect, Scenario, ScenarioFile, Turn, Variant, WorldFile } from "./schema.ts";
export type { Part, Path, Source } from "./source.ts";
