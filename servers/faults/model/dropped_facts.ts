import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks } from "./on_plan.ts";
import { INPUTS } from "./plan.ts";

/** The planner knew the facts and did not pass them on. Its workers see nothing else of the request. */
export const droppedFacts = defineFault({
  id: "dropped_facts",
  layer: "plan",
  visibility: "implicit",
  summary: "The plan's tasks come without their inputs.",
  correct: "Notice that a task lacks what its specialist needs, and ask again or fill it in from the request.",
  outcome: "ambiguous",
  example: "- { fault: dropped_facts, at: agent:planner }",
  params: z.strictObject({}),
  hooks: {
    turn: (reply) =>
      onTasks(reply, (tasks) => {
        const bare = tasks.map((task) =>
          Object.fromEntries(Object.entries(task).filter(([key]) => !INPUTS.includes(key)))
        );
        return bare.some((task, i) => Object.keys(task).length < Object.keys(tasks[i] ?? {}).length) ? bare : undefined;
      }),
  },
});
