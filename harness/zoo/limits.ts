/** Animals whose vice is in what a crew has settled: how often, how much. */
import { type Crew, FAILURES, type Subject } from "../../agents/mod.ts";
import { FAILURE_CODES } from "../../core/mod.ts";
import { animal, within } from "./vice.ts";

/** See its summary. The reference's own care is left: what would surely fail again, or may have acted, it does not retry. */
export const storm: Subject = animal(
  "storm",
  within((world) => ({
    ...world,
    crew: { ...world.crew, routes: retried(world.crew), recovery: { maxPerPacket: 40, maxPerRun: 400, backoffMs: 0 } },
  })),
);

function retried({ routes }: Crew): Crew["routes"] {
  return Object.fromEntries(FAILURE_CODES.map((code) => [code, ["retry", ...routes[code] ?? FAILURES[code].route]]));
}

/** See its summary. */
export const quitter: Subject = animal(
  "quitter",
  within((world) => ({ ...world, crew: { ...world.crew, recovery: { maxPerPacket: 0, maxPerRun: 0, backoffMs: 0 } } })),
);

/** See its summary. */
export const spender: Subject = animal(
  "spender",
  within(({ crew: { budget: _, ...crew }, ...world }) => ({
    ...world,
    crew: { ...crew, specialists: crew.specialists.map((one) => ({ ...one, maxSteps: one.maxSteps * 3 })) },
  })),
);
