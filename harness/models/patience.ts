/** Time for models that think: crews are written for turns that take none. */
import type { Crew } from "../../agents/mod.ts";

/** How much longer a worker, a superstep and a run may take, in milliseconds, where live models are asked. */
export const MODEL_PATIENCE_MS = 300_000;

/**
 * The crew with time for its models. What a call of a tool may take stays as it is: tools are as quick as ever. A
 * recording is played with the same crew as it was made with, because nothing else has the same bytes.
 */
export function patientWithModels(crew: Crew, ms: number): Crew {
  const { superstepMs } = crew;
  return {
    ...crew,
    specialists: crew.specialists.map((one) => ({ ...one, deadlineMs: one.deadlineMs + ms })),
    ...(superstepMs === undefined ? {} : { superstepMs: superstepMs + ms }),
    deadlineMs: crew.deadlineMs + ms,
  };
}
