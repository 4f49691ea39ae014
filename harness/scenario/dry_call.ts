/** What the world would answer to a script's calls if nothing went wrong, found out without running anything. */
import type { Clock, Json } from "../../core/mod.ts";
import { FIXTURES, type Need } from "../../servers/mod.ts";
import type { Scenario } from "./schema.ts";

/** A call that a worker's script makes. */
export interface ScriptedCall {
  /** Who makes it. */
  readonly agent: string;
  /** `server.tool`. */
  readonly tool: string;
  /** Its arguments. */
  readonly args: { readonly [key: string]: Json };
  /** Calls of the same turn, itself included. */
  readonly together: readonly string[];
}

/** Every call of these agents' scripts, agent by agent, in order. */
export function scriptedCalls({ script }: Pick<Scenario, "script">, agents: readonly string[]): ScriptedCall[] {
  return agents.flatMap((agent) =>
    (script[agent] ?? []).flatMap(({ call, with: args = {}, calls = [] }) => {
      const made = call === undefined ? calls : [{ call, with: args }];
      const together = made.map(({ call }) => call);
      return made.map((one): ScriptedCall => ({ agent, tool: one.call, args: one.with, together }));
    })
  );
}

/** Stands still: a tool that waits has no result that is known beforehand. */
const STILL: Clock = { kind: "virtual", now: () => 0, after: () => ({ cancel() {} }) };

/** The server of a `server.tool`. */
export const serverOf = (tool: string): string => tool.split(".")[0] ?? "";

/** The result of a call as the first one of its server; `undefined` if it fails, is no JSON, or is not there at once. */
export function dryResult({ servers }: Pick<Scenario, "servers">, { tool, args }: ScriptedCall): Json | undefined {
  const server = serverOf(tool);
  const name = tool.slice(server.length + 1);
  const fixture = FIXTURES.get(server);
  if (fixture === undefined) return undefined;
  try {
    const { signal } = new AbortController();
    const result = fixture.instantiate(servers[server]).call(name, args, { clock: STILL, signal });
    // What is read is the text, which a tool may write otherwise.
    if (!(result instanceof Promise)) return parsed(fixture.textOf(name, result));
    result.catch(() => {});
  } catch {
    // A tool that refuses its arguments has no result either.
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  const value: Json = JSON.parse(text);
  return typeof value === "object" && value !== null ? value : undefined;
}

const DATE = /^\d{4}-(0[1-9]|1[0-2])(-\d{2}.*)?$/;

/** Whether a call's result has what a fault needs to find something to do. */
export function meets(need: Exclude<Need, "concurrent_calls">, call: ScriptedCall, result: Json | undefined): boolean {
  if (result === undefined) return false;
  switch (need) {
    case "json_result":
      return true;
    case "unpromised_json":
      return !promises(call);
    case "number":
      return has(result, (value) => typeof value === "number");
    case "date":
      return has(result, (value) => typeof value === "string" && DATE.test(value));
    case "list":
      return has(result, (value) => Array.isArray(value) && value.length > 0);
    case "echoed_argument":
      return has(result, (value) => typeof value !== "object" && Object.values(call.args).includes(value));
    case "non_ascii":
      return /[^\0-\x7f]/.test(JSON.stringify(result));
    case "structured_content":
      return promises(call);
  }
}

/** Whether a call's tool has an output schema. */
function promises({ tool }: ScriptedCall): boolean {
  const server = serverOf(tool);
  return FIXTURES.get(server)?.tools.get(tool.slice(server.length + 1))?.outputSchema !== undefined;
}

function has(value: Json, test: (value: Json) => boolean): boolean {
  if (test(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some((inner) => has(inner, test));
}
