import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks, withMember } from "./on_plan.ts";
import { idOf, NEEDS } from "./plan.ts";
import { memberOf } from "./say.ts";

/** A part of the request for which there is no task. Nothing fails, and the answer is not whole. */
export const underDecomposed = defineFault({
  id: "under_decomposed",
  layer: "plan",
  visibility: "implicit",
  summary: "The plan's last task is missing.",
  correct: "Compare the plan with the parts of the request; say which part nobody worked on.",
  outcome: "not_started",
  example: "- { fault: under_decomposed, at: agent:planner }",
  params: z.strictObject({}),
  hooks: {
    turn: (reply) =>
      onTasks(reply, (tasks) => {
        const last = tasks.at(-1);
        if (last === undefined || tasks.length < 2) return undefined;
        const lost = idOf(last, tasks.length - 1);
        return tasks.slice(0, -1).map((task) => {
          const { value } = memberOf(task, NEEDS);
          return Array.isArray(value) && value.includes(lost)
            ? withMember(task, NEEDS, value.filter((id) => id !== lost))
            : task;
        });
      }),
  },
});
