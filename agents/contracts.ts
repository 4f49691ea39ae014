/**
 * The contracts as schemas, for whatever comes from outside: a foreign subject's answer, a trace, a scenario. Each has
 * the name of its type in `types.ts`, and does not compile unless it accepts exactly that.
 */
import * as z from "zod";
import { FAILURE_CODES, type FailureCode, type Json } from "../core/mod.ts";
import { schemaOf } from "./schema_of.ts";
import type * as types from "./types.ts";

/** Any JSON value. */
export const JsonValue: z.ZodType<Json> = z.json();

/** A failure code of the closed set. */
export const Code: z.ZodEnum<{ [K in FailureCode]: K }> = z.enum(
  Object.fromEntries(FAILURE_CODES.map((code) => [code, code])) as { [K in FailureCode]: K },
);

/** Schema of {@linkcode types.ReportedFailure}. */
export const ReportedFailure: z.ZodType<types.ReportedFailure> = schemaOf<types.ReportedFailure>()(
  z.strictObject({
    code: Code,
    detail: z.string(),
    retryable: z.boolean(),
    retryAfterMs: z.number().nonnegative().exactOptional(),
  }),
);

/** Schema of {@linkcode types.Provenance}. */
export const Provenance: z.ZodType<types.Provenance> = schemaOf<types.Provenance>()(
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("live") }),
    z.strictObject({ kind: z.literal("cached"), asOf: z.string(), source: z.string() }),
    z.strictObject({ kind: z.literal("human") }),
  ]),
);

/** Schema of {@linkcode types.Usage}. */
export const Usage: z.ZodType<types.Usage> = schemaOf<types.Usage>()(
  z.strictObject({
    steps: z.int().nonnegative(),
    inputTokens: z.int().nonnegative(),
    outputTokens: z.int().nonnegative(),
    costUsd: z.number().nonnegative().nullable(),
  }),
);

/** Schema of {@linkcode types.Handoff}. */
export const Handoff: z.ZodType<types.Handoff> = schemaOf<types.Handoff>()(
  z.strictObject({
    id: z.string().min(1),
    sender: z.string().min(1),
    recipient: z.string().min(1),
    objective: z.string().min(1),
    inputs: z.record(z.string(), JsonValue),
    toolAllow: z.array(z.string().min(1)),
    maxSteps: z.int().positive(),
    maxTokens: z.int().positive().exactOptional(),
    maxCostUsd: z.number().positive().exactOptional(),
    deadlineMs: z.number().positive().exactOptional(),
    dependsOn: z.array(z.string()),
    returnContract: z.string(),
    attempt: z.int().min(2).exactOptional(),
  }),
);

/** Schema of {@linkcode types.Observation}. */
export const Observation: z.ZodType<types.Observation> = schemaOf<types.Observation>()(
  z.strictObject({ id: z.string().min(1), tool: z.string(), args: JsonValue, text: z.string() }),
);

/** Schema of {@linkcode types.Severity}. */
export const Severity: z.ZodType<types.Severity> = z.enum(["critical", "high", "medium", "low"]);

/** Schema of {@linkcode types.ClaimVerdict}. */
export const ClaimVerdict: z.ZodType<types.ClaimVerdict> = z.enum(["supported", "unsupported", "undetermined"]);

/** Schema of {@linkcode types.Finding}. */
export const Finding: z.ZodType<types.Finding> = schemaOf<types.Finding>()(
  z.strictObject({
    claim: z.string(),
    observations: z.array(Observation),
    severity: Severity.exactOptional(),
    verdict: ClaimVerdict.exactOptional(),
  }),
);

/** Schema of {@linkcode types.AgentMessage}. */
export const AgentMessage: z.ZodType<types.AgentMessage> = schemaOf<types.AgentMessage>()(
  z.strictObject({
    sender: z.string().min(1),
    receiver: z.string().min(1),
    content: z.string(),
    metadata: z.record(z.string(), JsonValue),
  }),
);

/** Schema of {@linkcode types.Effect}. */
export const Effect: z.ZodType<types.Effect> = schemaOf<types.Effect>()(
  z.strictObject({ observation: Observation, state: z.enum(["done", "possible", "unknown"]) }),
);

/** Schema of {@linkcode types.Report}. */
export const Report: z.ZodType<types.Report> = schemaOf<types.Report>()(
  z.strictObject({
    worker: z.string().min(1),
    packetId: z.string().min(1),
    objective: z.string(),
    status: z.enum(["ok", "partial", "failed", "needs_clarification"]),
    failure: ReportedFailure.exactOptional(),
    findings: z.array(Finding),
    effects: z.array(Effect).exactOptional(),
    note: z.string(),
    provenance: Provenance,
    question: z.string().exactOptional(),
    usage: Usage,
    startedAt: z.number().nonnegative(),
    endedAt: z.number().nonnegative(),
  }),
);

/** Schema of {@linkcode types.Section}. */
export const Section: z.ZodType<types.Section> = schemaOf<types.Section>()(
  z.strictObject({
    worker: z.string(),
    text: z.string(),
    provenance: Provenance,
    unconfirmed: z.array(z.string()).exactOptional(),
  }),
);

/** Schema of {@linkcode types.AnswerFailure}. */
export const AnswerFailure: z.ZodType<types.AnswerFailure> = schemaOf<types.AnswerFailure>()(
  z.strictObject({
    specialist: z.string(),
    code: Code,
    detail: z.string(),
    effect: z.string(),
    substituted: Provenance.exactOptional(),
  }),
);

/** Schema of {@linkcode types.Answer}. */
export const Answer: z.ZodType<types.Answer> = schemaOf<types.Answer>()(
  z.strictObject({
    status: z.enum(["complete", "degraded", "failed"]),
    text: z.string(),
    sections: z.array(Section),
    failures: z.array(AnswerFailure),
    summary: z.string().exactOptional(),
  }),
);
