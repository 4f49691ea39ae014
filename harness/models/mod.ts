/** Live models and recordings of them, in the cells of a run. */
export { type ModelFlags, type ModelOptions, parseModelOptions } from "./options.ts";
export { openRunModels, type RunModels } from "./run_models.ts";
