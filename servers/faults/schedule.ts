import { z } from "zod";
import { duration } from "./duration.ts";

/**
 * When a fault strikes, parsed: times are milliseconds. All conditions that are given must hold; with none it strikes
 * every time.
 *
 * Occasions are counted for each fault, from 1: the calls that its `at` covers, be that a tool, a server or an agent. A
 * fault of another phase counts that phase's: attempts to connect, requests to initialize or to list tools, lines.
 */
export interface Schedule {
  /** Exactly these occasions. */
  readonly calls?: readonly number[] | undefined;
  /** The first so many occasions. */
  readonly first?: number | undefined;
  /** Every so many occasions: 3 means the 3rd, the 6th, the 9th. */
  readonly every?: number | undefined;
  /** Runs of failures: of every `every` occasions, the first `length`. */
  readonly burst?: { readonly every: number; readonly length: number } | undefined;
  /** The share of occasions, above 0 and up to 1, drawn anew for each. */
  readonly probability?: number | undefined;
  /** Makes the draw the same whatever the cell's seed. Only with `probability`. */
  readonly seed?: number | string | undefined;
  /** Not before this time of the cell, in milliseconds. */
  readonly from?: number | undefined;
  /** Only before this time of the cell, in milliseconds. */
  readonly until?: number | undefined;
}

/** The schema of a {@linkcode Schedule}: strict, with times as {@linkcode duration}s. */
export const scheduleSchema: z.ZodType<Schedule> = z.strictObject({
  calls: z.array(z.int().positive()).min(1).optional(),
  first: z.int().positive().optional(),
  every: z.int().positive().optional(),
  burst: z.strictObject({ every: z.int().positive(), length: z.int().positive() }).refine(
    ({ every, length }) => length < every,
    { path: ["length"], error: "a burst ends before the next begins: length must be less than every" },
  ).optional(),
  probability: z.number().gt(0).lte(1).optional(),
  seed: z.union([z.int(), z.string()]).optional(),
  from: duration.optional(),
  until: duration.optional(),
}).refine(({ seed, probability }) => seed === undefined || probability !== undefined, {
  path: ["seed"],
  error: "a seed without a probability has no effect: add probability, or take the seed out",
}).refine(({ from, until }) => until === undefined || until > (from ?? 0), {
  path: ["until"],
  error: "the fault could never strike: until must be later than from",
});

/** One chance of a fault to strike. */
export interface Occasion {
  /** Its number, from 1. */
  readonly ordinal: number;
  /** Time of the cell, in milliseconds. */
  readonly now: number;
  /** A number in [0, 1), always the same for the same occasion. */
  draw(): number;
}

/** Whether a fault with this schedule strikes on this occasion. */
export function strikes(schedule: Schedule | undefined, { ordinal, now, draw }: Occasion): boolean {
  if (schedule === undefined) return true;
  const { calls, first, every, burst, probability, from, until } = schedule;
  if (calls !== undefined && !calls.includes(ordinal)) return false;
  if (first !== undefined && ordinal > first) return false;
  if (every !== undefined && ordinal % every !== 0) return false;
  if (burst !== undefined && (ordinal - 1) % burst.every >= burst.length) return false;
  if (from !== undefined && now < from) return false;
  if (until !== undefined && now >= until) return false;
  return probability === undefined || draw() < probability;
}

/** `transient` if trying again can get past it, `permanent` if not. */
export type Persistence = "transient" | "permanent";

/**
 * Whether trying again can get past a fault with this schedule: `transient` if some later occasion may be spared,
 * `permanent` if, once it has struck, it strikes every time.
 */
export function persistence(schedule: Schedule | undefined): Persistence {
  if (schedule === undefined) return "permanent";
  const { calls, first, every = 1, burst, probability = 1, until } = schedule;
  const ends = calls !== undefined || first !== undefined || burst !== undefined || until !== undefined;
  return ends || every > 1 || probability < 1 ? "transient" : "permanent";
}
