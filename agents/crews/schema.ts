/** The schema of crews, for those that come from a trace. */
import * as z from "zod";
import { Code } from "../contracts.ts";
import { schemaOf } from "../schema_of.ts";
import type * as types from "./crew.ts";

const STRATEGIES = ["retry", "extend", "reassign", "fallback", "clarify", "escalate", "disclose"] as const;
const Name = z.string().min(1);
const Ms = z.number().positive();

/** Schema of {@linkcode types.Specialist}. */
export const Specialist: z.ZodType<types.Specialist> = schemaOf<types.Specialist>()(
  z.strictObject({
    name: Name,
    role: z.string().min(1),
    toolAllow: z.array(z.string().min(1)),
    maxSteps: z.int().positive(),
    deadlineMs: Ms,
    returnContract: z.string().min(1),
  }),
);

/** Schema of {@linkcode types.Fallback}. */
export const Fallback: z.ZodType<types.Fallback> = schemaOf<types.Fallback>()(
  z.strictObject({
    specialist: Name,
    asOf: z.string().min(1),
    source: z.string().min(1),
    text: z.string().min(1),
    canary: z.string().min(1),
  }),
);

/** Schema of {@linkcode types.Crew}. */
export const Crew: z.ZodType<types.Crew> = schemaOf<types.Crew>()(
  z.strictObject({
    name: Name,
    title: z.string().min(1),
    servers: z.array(Name).min(1),
    specialists: z.array(Specialist).min(1),
    fallbacks: z.array(Fallback),
    fallbackPlan: z.array(z.strictObject({ specialist: Name, objective: z.string().min(1) })),
    routes: z.partialRecord(Code, z.array(z.enum(STRATEGIES))),
    deadlineMs: Ms,
  }),
);

/** See {@linkcode types.Specialist}. */
export type Specialist = types.Specialist;
/** See {@linkcode types.Fallback}. */
export type Fallback = types.Fallback;
/** See {@linkcode types.Crew}. */
export type Crew = types.Crew;
