/** Tool calls as providers write them: names without dots, arguments as a text that may be no object. */
import type { Json } from "../../../core/mod.ts";
import { fromSafeName } from "../../hub/names.ts";
import type { ToolCall, ToolSpec } from "../model.ts";

/** The names of tools. */
export function namesOf(tools: readonly ToolSpec[]): string[] {
  return tools.map(({ name }) => name);
}

/**
 * A call. A name that is no tool's stays as it is: whoever executes calls refuses it by name. Arguments that are no JSON
 * object stay as they were written.
 *
 * @param safe The name as the provider has it.
 * @param written The arguments as the model wrote them.
 * @param names The names of the tools that there are.
 */
export function callFrom(id: string, safe: string, written: string, names: readonly string[]): ToolCall {
  const name = fromSafeName(safe, names) ?? safe;
  const args = objectIn(written);
  return args === undefined ? { id, name, args: {}, rawArguments: written } : { id, name, args };
}

function objectIn(written: string): { [key: string]: Json } | undefined {
  try {
    const value: Json = JSON.parse(written);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
