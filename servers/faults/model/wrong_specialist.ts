import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks, withMember } from "./on_plan.ts";
import { SPECIALIST } from "./plan.ts";
import { memberOf } from "./say.ts";

/** Each task goes to somebody else's specialist: all names are right, and no assignment is. */
export const wrongSpecialist = defineFault({
  id: "wrong_specialist",
  layer: "plan",
  visibility: "implicit",
  summary: "The specialists of the plan's tasks are rotated by one.",
  correct:
    "Check a task against what its specialist can do; a worker without the right tools reports that it knows nothing.",
  outcome: "unverified",
  example: "- { fault: wrong_specialist, at: agent:planner }",
  params: z.strictObject({}),
  hooks: {
    turn: (reply) =>
      onTasks(reply, (tasks) => {
        const names = tasks.map((task) => memberOf(task, SPECIALIST).value ?? "");
        if (new Set(names).size < 2) return undefined;
        return tasks.map((task, i) => withMember(task, SPECIALIST, names[(i + 1) % names.length] ?? ""));
      }),
  },
});
