/**
 * What a planner has to return: a list of tasks, each for one specialist, with the order that their data demands.
 *
 * {@linkcode PLAN_FORMAT} is the same contract in words that a prompt can quote. {@linkcode Plan} is what the rest of
 * the orchestrator sees: a planner may spell a field otherwise, the parser normalises it.
 */
import * as z from "zod";
import type { Json } from "../../core/mod.ts";
import type { ReplyFormat } from "../models/model.ts";

const JsonValue: z.ZodType<Json> = z.json();

/** One task of a plan: who does what, with which facts, after whom. */
export const PlanTask = z.strictObject({
  id: z.string().min(1).describe("Name of this task, unique in the plan."),
  specialist: z.string().min(1).describe("Name of a specialist on the roster, exactly as it is written there."),
  objective: z.string().regex(/\S/, "is blank").describe(
    "What this specialist has to find out or do, complete in itself: it sees nothing else of the request.",
  ),
  inputs: z.record(z.string(), JsonValue).describe("Facts already known that the specialist needs, by name."),
  dependsOn: z.array(z.string().min(1)).describe("Ids of the tasks whose results have to exist first."),
  maxSteps: z.int().positive().exactOptional().describe("How many model calls this task may take."),
  uses: z.array(z.string()).exactOptional().describe(
    "Names of the plan's facts that it needs; all of them if left out.",
  ),
});

/** Something that the request asks for, and the tasks that are to meet it. */
export const PlanPart = z.strictObject({
  part: z.string().regex(/\S/, "is blank").describe(
    "Something that the request asks for, in a few words of the request's.",
  ),
  by: z.array(z.string().min(1)).describe("Ids of the tasks that meet it; none if nobody on the roster can."),
});

/** A plan: at least one task, ids unique, every dependency a task of the plan, no cycle. */
export const Plan = z.strictObject({
  tasks: z.array(PlanTask).min(1),
  facts: z.record(z.string(), JsonValue).exactOptional().describe(
    "What is known already and several tasks need, by name.",
  ),
  parts: z.array(PlanPart).exactOptional().describe("Everything that the request asks for, part by part."),
});

/** See {@linkcode PlanTask}. */
export type PlanTask = z.infer<typeof PlanTask>;
/** See {@linkcode PlanPart}. */
export type PlanPart = z.infer<typeof PlanPart>;
/** See {@linkcode Plan}. */
export type Plan = z.infer<typeof Plan>;

/** A reply in the exact form: what {@linkcode PLAN_FORMAT} shows, and what the parser takes without a repair. */
export const PLAN_EXAMPLE = `{
  "parts": [
    { "part": "whether order 1182 has arrived", "by": ["t1"] },
    { "part": "whether it can still be returned", "by": ["t1", "t2"] }
  ],
  "facts": { "order_id": "1182" },
  "tasks": [
    {
      "id": "t1",
      "specialist": "orders",
      "objective": "Find order 1182: its status and its date of delivery.",
      "inputs": { "fields": ["status", "delivered"] },
      "dependsOn": []
    },
    {
      "id": "t2",
      "specialist": "policy",
      "objective": "Say whether an order with that status and date can still be returned.",
      "inputs": {},
      "dependsOn": ["t1"]
    }
  ]
}`;

/**
 * The contract in words, to be quoted in a planner's prompt.
 *
 * @example
 * ```ts
 * import { PLAN_EXAMPLE, PLAN_FORMAT } from "./plan.ts";
 * import { parsePlan } from "./parse.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(PLAN_FORMAT.includes(PLAN_EXAMPLE));
 * assert.equal(parsePlan(PLAN_EXAMPLE, { roster: ["orders", "policy"] }).status, "ok");
 * ```
 */
export const PLAN_FORMAT: string = `Reply with one JSON object and nothing else:

${PLAN_EXAMPLE}

For each task:
${Object.entries(PlanTask.shape).map(([name, field]) => `- ${name}: ${field.description ?? ""}`).join("\n")}
inputs and dependsOn may be left out when they are empty; maxSteps and uses are optional.
parts, before tasks, says what the request asks for: each part, with the ids of the tasks that meet it. A part that nobody on
the roster can meet has no ids, and is told to the user.
facts, beside tasks, is optional: ${Plan.shape.facts.description ?? ""} Every task gets them; its own inputs win.
Tasks that do not need each other's results must not depend on each other: they run at the same time.
Never give two plans, never leave tasks out with "...", and finish the JSON.`;

const text = (description: string | undefined, more = "") => ({
  type: "string",
  description: `${description ?? ""}${more}`,
});

/**
 * The contract as providers that hold their models to a form take it: every object closed, every member required. Inputs
 * have names that nobody knows beforehand, which no such form can say: they are JSON in a text, which the parser reads.
 */
export const PLAN_REPLY: ReplyFormat = {
  name: "plan",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["parts", "tasks"],
    properties: {
      parts: {
        type: "array",
        description: Plan.shape.parts.description ?? "",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["part", "by"],
          properties: {
            part: text(PlanPart.shape.part.description),
            by: { type: "array", items: { type: "string" }, description: PlanPart.shape.by.description ?? "" },
          },
        },
      },
      tasks: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["id", "specialist", "objective", "inputs", "dependsOn"],
          properties: {
            id: text(PlanTask.shape.id.description),
            specialist: text(PlanTask.shape.specialist.description),
            objective: text(PlanTask.shape.objective.description),
            inputs: text(PlanTask.shape.inputs.description, " A JSON object, written as a text; {} if there are none."),
            dependsOn: { type: "array", items: { type: "string" }, description: PlanTask.shape.dependsOn.description },
          },
        },
      },
    },
  },
};
