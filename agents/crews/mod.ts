/**
 * The crews, by name.
 *
 * @module
 */
import { brief } from "./brief.ts";
import type { Crew } from "./crew.ts";
import { research } from "./research.ts";
import { review } from "./review.ts";
import { support } from "./support.ts";

export { Crew, Fallback, Specialist } from "./schema.ts";
export type { FallbackTask } from "./crew.ts";
export { crewProblems, namesAlike, namesAlikeProblem } from "./validate.ts";

/** Every crew by its name. */
export const CREWS: ReadonlyMap<string, Crew> = new Map(
  [support, review, research, brief].map((crew) => [crew.name, crew]),
);
