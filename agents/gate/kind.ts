/** What a tool may do, going by what its server claims. */
import type { ToolSpec } from "../models/model.ts";

/**
 * `reads`: claims to change nothing. `repeatable`: claims that doing it again changes nothing more. `acts`: claims
 * effects that add up. `unclaimed`: claims nothing; whether its calls act is not known.
 */
export type ToolKind = "reads" | "repeatable" | "acts" | "unclaimed";

/**
 * Reads a tool's annotations. They are hints of a server that need not be trusted, so only what is claimed outright
 * counts: a tool about which nothing is said may act, as by MCP's own defaults. A server that lies does harm within its
 * own walls, and approval rules are about names and not about hints.
 */
export function kindOf({ annotations: { readOnlyHint, idempotentHint } = {} }: ToolSpec): ToolKind {
  if (readOnlyHint === true) return "reads";
  if (idempotentHint === true) return "repeatable";
  return readOnlyHint === undefined && idempotentHint === undefined ? "unclaimed" : "acts";
}

/** The one of these tools that has exactly this name. */
export function specOf(specs: readonly ToolSpec[], name: string): ToolSpec | undefined {
  return specs.find((spec) => spec.name === name);
}
