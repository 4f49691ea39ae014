/** A scenario's script in the scripted model's terms. */
import type { ScriptedTurn } from "../../agents/mod.ts";
import type { Scenario, Turn } from "../scenario/schema.ts";

/** The turns of each agent. */
export function scriptOf({ script }: Pick<Scenario, "script">): Map<string, ScriptedTurn[]> {
  return new Map(Object.entries(script).map(([agent, turns]) => [agent, turns.map(scriptedTurn)]));
}

function scriptedTurn({ call, with: args, calls, say, final, finish, takes }: Turn): ScriptedTurn {
  const text = say ?? final;
  const made = calls?.map((one) => ({ name: one.call, args: one.with })) ??
    (call === undefined ? undefined : [{ name: call, args: args ?? {} }]);
  return {
    ...(text === undefined ? {} : { text }),
    ...(made === undefined ? {} : { calls: made }),
    ...(finish === undefined ? {} : { finish }),
    ...(takes === undefined ? {} : { takesMs: takes }),
  };
}
