/** Who plays whom in a cell whose model is not the script's alone. */
import type { CellModel, ModelSourceOptions } from "../runner/model_source.ts";

/**
 * Told by the model's name, so that a recording is played to the same agents as were recorded.
 *
 * Where the script plays all that are not named, a stranger's call has to be somebody's; a live model answers anybody.
 */
export function playedBy(
  { cell: { model }, scenario: { script }, isForeign = false }: Pick<
    ModelSourceOptions,
    "cell" | "scenario" | "isForeign"
  >,
): Pick<CellModel, "agents" | "isScripted"> {
  const parts = model.split("+");
  const byAgent = new Map(parts.flatMap((part) => {
    const [, agent, own] = /^(\w+)=(.*)$/.exec(part) ?? [];
    return agent === undefined || own === undefined ? [] : [[agent, own] as const];
  }));
  const rest = parts.at(-1);
  return {
    isScripted: (agent) => (byAgent.get(agent) ?? rest) === "scripted",
    ...(isForeign && rest === "scripted" ? { agents: [...new Set([...Object.keys(script), ...byAgent.keys()])] } : {}),
  };
}
