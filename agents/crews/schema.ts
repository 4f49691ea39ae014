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
    prompt: z.string().min(1).exactOptional(),
    toolAllow: z.array(z.string().min(1)),
    maxSteps: z.int().positive(),
    maxTokens: z.int().positive().exactOptional(),
    maxCostUsd: z.number().positive().exactOptional(),
    deadlineMs: Ms,
    callTimeoutMs: Ms.exactOptional(),
    idleTimeoutMs: Ms.exactOptional(),
    returnContract: z.string().min(1),
    returns: z.enum(["note", "findings"]).exactOptional(),
    standsInFor: z.array(Name).exactOptional(),
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

/** Schema of {@linkcode types.Budget}. */
export const Budget: z.ZodType<types.Budget> = schemaOf<types.Budget>()(
  z.strictObject({
    steps: z.int().positive().exactOptional(),
    tokens: z.int().positive().exactOptional(),
    costUsd: z.number().positive().exactOptional(),
  }),
);

/** Schema of {@linkcode types.Recovery}. */
export const Recovery: z.ZodType<types.Recovery> = schemaOf<types.Recovery>()(
  z.strictObject({
    maxPerPacket: z.int().nonnegative(),
    maxPerRun: z.int().nonnegative(),
    backoffMs: z.number().nonnegative(),
  }),
);

const Tools = z.array(z.string().min(1)).min(1);
const amount = { tools: Tools, amount: Name, max: z.number().nonnegative() };

/** Schema of {@linkcode types.ApprovalRule}. */
export const ApprovalRule: z.ZodType<types.ApprovalRule> = schemaOf<types.ApprovalRule>()(
  z.discriminatedUnion("rule", [
    z.strictObject({ rule: z.literal("ask"), tools: Tools }),
    z.strictObject({ rule: z.literal("deny"), tools: Tools }),
    z.strictObject({ rule: z.literal("limit"), ...amount }),
    z.strictObject({
      rule: z.literal("total"),
      ...amount,
      per: Name.exactOptional(),
      periodMs: Ms.exactOptional(),
    }),
  ]),
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
    recovery: Recovery.exactOptional(),
    budget: Budget.exactOptional(),
    approval: z.array(ApprovalRule).exactOptional(),
    order: z.enum(["plan", "severity"]).exactOptional(),
    synthesizer: z.boolean().exactOptional(),
    superstepMs: Ms.exactOptional(),
    deadlineMs: Ms,
  }),
);

/** See {@linkcode types.Specialist}. */
export type Specialist = types.Specialist;
/** See {@linkcode types.Fallback}. */
export type Fallback = types.Fallback;
/** See {@linkcode types.Budget}. */
export type Budget = types.Budget;
/** See {@linkcode types.Recovery}. */
export type Recovery = types.Recovery;
/** See {@linkcode types.ApprovalRule}. */
export type ApprovalRule = types.ApprovalRule;
/** See {@linkcode types.Crew}. */
export type Crew = types.Crew;
