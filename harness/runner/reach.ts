/** Which servers a cell's world has. */
import type { Crew } from "../../agents/mod.ts";
import type { Scenario } from "../scenario/schema.ts";

/**
 * The crew's servers that somebody of the scenario can reach: those on the allowlist of a specialist that has a script,
 * though it be an empty one, or that the planner speaks of; and those with a fault of their own. What nobody can reach is
 * not started, so that a crew with many servers costs a scenario only those that it is about.
 *
 * @returns Names of servers in the crew's order; all of them if nobody can reach any.
 */
export function serversInReach(
  { script, faults }: Pick<Scenario, "script" | "faults">,
  { servers, specialists }: Pick<Crew, "servers" | "specialists">,
): string[] {
  const spoken = (script.planner ?? []).map(({ say = "" }) => say).join("\n");
  const allowed = specialists
    .filter(({ name }) => Object.hasOwn(script, name) || spoken.includes(`"${name}"`))
    .flatMap(({ toolAllow }) => toolAllow);
  const named = new Set([...allowed, ...faults.map(({ at }) => at)].map((entry) => entry.split(".")[0]));
  const reached = servers.filter((server) => named.has(server));
  return reached.length === 0 ? [...servers] : reached;
}
