/**
 * The crews, by name.
 *
 * @module
 */
import type { Crew } from "./crew.ts";
import { support } from "./support.ts";

export { Crew, Fallback, Specialist } from "./schema.ts";
export type { FallbackTask } from "./crew.ts";
export { crewProblems } from "./validate.ts";

/** Every crew by its name. */
export const CREWS: ReadonlyMap<string, Crew> = new Map([support].map((crew) => [crew.name, crew]));
