/** The tasks of a planner's reply, as the reference reads them: what the crew can do of it. */
import { parsePlan, type PlanTask } from "../../agents/mod.ts";
import type { Crew } from "../../agents/crews/crew.ts";

/** The cells of a run have many replies in common: some are remembered, if they are no longer than this, in UTF-16 units. */
const MAX_KNOWN = 64;
const MAX_LENGTH = 10_000;
const known = new Map<string, readonly PlanTask[]>();

/** The tasks; none where the reply holds no plan that can be used. */
export function plannedTasks(reply: string, { specialists }: Pick<Crew, "specialists">): readonly PlanTask[] {
  const roster = specialists.map(({ name }) => name);
  const key = JSON.stringify([roster, reply]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const tasks = parsePlan(reply, { roster }).plan?.tasks ?? [];
  if (known.size >= MAX_KNOWN) known.clear();
  if (reply.length <= MAX_LENGTH) known.set(key, tasks);
  return tasks;
}
