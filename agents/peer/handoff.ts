/** What handing over looks like to a model, and what makes two handoffs the same. */
import * as z from "zod";
import { canonicalJson, type Json } from "../../core/mod.ts";
import { JsonValue } from "../contracts.ts";
import type { Specialist } from "../crews/crew.ts";
import type { ToolCall, ToolSpec } from "../models/model.ts";
import { schemaOf } from "../schema_of.ts";

/** The first agent: it sees the request, has no tools, and is no specialist. */
export const ENTRY = "triage";

/** How the tools are called that hand control over: this, and a specialist's name. No server may have the name. */
export const HANDOFF = "handoff.";

/** How often control may be handed over in a run, the first time included. */
export const MAX_HANDOFFS = 6;

/** Schema of {@linkcode Asked}. */
export const Asked: z.ZodType<Asked> = schemaOf<Asked>()(
  z.strictObject({
    from: z.string(),
    to: z.string(),
    objective: z.string(),
    inputs: z.record(z.string(), JsonValue),
  }),
);

/** A handoff that an agent has asked for. Plain JSON. */
export type Asked = {
  /** Who has control. */
  from: string;
  /** Who is to get it. Untrusted until it has been found in the crew. */
  to: string;
  /** What is to be done. Model output: untrusted. */
  objective: string;
  /** The facts that go with it. */
  inputs: { [key: string]: Json };
};

/** What was decided about a handoff, other than that control moves. */
export type Refusal = "cycle" | "unknown" | "second" | "denied";

/** Schema of {@linkcode Refused}. */
export const Refused: z.ZodType<Refused> = schemaOf<Refused>()(
  z.strictObject({
    from: z.string(),
    to: z.string(),
    objective: z.string(),
    inputs: z.record(z.string(), JsonValue),
    outcome: z.enum(["cycle", "unknown", "second", "denied"]),
    after: z.int(),
  }),
);

/** A handoff that did not take place. Plain JSON. */
export type Refused = Asked & {
  /** Why. `denied`: it could not be read, or the run has had all its handoffs. */
  outcome: Refusal;
  /** How many handoffs had been accepted before it. */
  after: number;
};

/** The tool that hands control to a specialist. */
export function handoffTool({ name, role }: Specialist): ToolSpec {
  return {
    name: HANDOFF + name,
    description: `Hands control to ${name}, for good: it does not come back to you. ${role}`,
    inputSchema: {
      type: "object",
      properties: {
        objective: { type: "string", description: "What is to be found out or done, complete in itself." },
        inputs: { type: "object", description: "Facts that it needs." },
      },
      required: ["objective"],
      additionalProperties: false,
    },
  };
}

/** Reads a call of such a tool; `undefined` if it says no objective, or what it says cannot be read. */
export function readHandoff(from: string, { name, args, rawArguments }: ToolCall): Asked | undefined {
  const { objective, inputs = {} } = args;
  if (rawArguments !== undefined || typeof objective !== "string" || objective.trim() === "") return undefined;
  if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) return undefined;
  return { from, to: name.slice(HANDOFF.length), objective, inputs };
}

/**
 * A task in one form only: its objective without case, width and white space, and its inputs as canonical JSON. Two
 * agents that hand the same work back and forth word it alike; one that words it anew each time meets the limit.
 */
export function canonicalTask({ objective, inputs }: Pick<Asked, "objective" | "inputs">): string {
  return canonicalJson([objective.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim(), inputs]);
}

/** Whether two handoffs give the same specialist the same task. */
export function isSame(a: Asked, b: Asked): boolean {
  return a.to === b.to && canonicalTask(a) === canonicalTask(b);
}
