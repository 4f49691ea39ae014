/** What makes two calls one and the same effect. */
import { digest, type Json } from "../../core/mod.ts";
import type { ToolSpec } from "../models/model.ts";

/** The argument by which servers know attempts at one effect. */
const KEY = "idempotency_key";

/**
 * The identity of an effect within a run: its tool and its arguments, the idempotency key apart. Who asks for it is not
 * part of it, so that neither a later attempt nor another worker does it again unknowingly. A model that really means a
 * second one has to say so in the arguments.
 *
 * @param runId What tells the run from others that call the same servers.
 * @returns 32 hex digits, the same over attempts and after a kill.
 * @throws {TypeError} If the arguments are no JSON, or nested deeper than 200 levels.
 */
export function effectId(runId: string, tool: string, args: { readonly [key: string]: Json }): string {
  const { [KEY]: _, ...what } = args;
  return digest({ run: runId, tool, args: what }).slice(0, 32);
}

/** The idempotency key among arguments, if there is one. */
export function keyIn(args: { readonly [key: string]: Json }): string | undefined {
  const key = Object.hasOwn(args, KEY) ? args[KEY] : undefined;
  return typeof key === "string" ? key : undefined;
}

/** The arguments with the effect's id as idempotency key, if the tool takes one and the model has given none. */
export function withKey(
  { inputSchema: { properties } }: ToolSpec,
  args: { [key: string]: Json },
  id: string,
): { [key: string]: Json } {
  const takesKey = typeof properties === "object" && properties !== null && Object.hasOwn(properties, KEY);
  return takesKey && !Object.hasOwn(args, KEY) ? { ...args, [KEY]: id } : args;
}
