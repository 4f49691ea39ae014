import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks } from "./on_plan.ts";
import { idOf } from "./plan.ts";

/** Two tasks of one name: whoever depends on it depends on either. */
export const duplicateTaskIds = defineFault({
  id: "duplicate_task_ids",
  layer: "plan",
  visibility: "implicit",
  summary: "All tasks of the plan have the id of the first.",
  correct: "Reject it before anything is dispatched: keeping one would lose the other silently.",
  outcome: "plan_malformed",
  example: "- { fault: duplicate_task_ids, at: agent:planner }",
  params: z.strictObject({}),
  hooks: {
    turn: (reply) =>
      onTasks(reply, (tasks) => {
        const [first] = tasks;
        if (first === undefined || tasks.length < 2) return undefined;
        return tasks.map((task) => ({ ...task, id: idOf(first, 0) }));
      }),
  },
});
