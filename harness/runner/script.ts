/** A scenario's script in the scripted model's terms. */
import type { ScriptedTurn } from "../../agents/mod.ts";
import type { Scenario, Turn } from "../scenario/schema.ts";

/** The turns of each agent. */
export function scriptOf({ script }: Pick<Scenario, "script">): Map<string, ScriptedTurn[]> {
  return new Map(Object.entries(script).map(([agent, turns]) => [agent, turns.map(scriptedTurn)]));
}

function scriptedTurn({ call, with: args, calls, say, saying, final, report_from, finish, takes }: Turn): ScriptedTurn {
  const text = say ?? final ?? saying;
  const made =
    calls?.map((one) => ({ ...(one.id === undefined ? {} : { id: one.id }), name: one.call, args: one.with })) ??
      (call === undefined ? undefined : [{ name: call, args: args ?? {} }]);
  return {
    ...(text === undefined ? {} : { text }),
    ...(report_from === undefined ? {} : { reportFrom: report_from }),
    ...(made === undefined ? {} : { calls: made }),
    ...(finish === undefined ? {} : { finish }),
    ...(takes === undefined ? {} : { takesMs: takes }),
  };
}
