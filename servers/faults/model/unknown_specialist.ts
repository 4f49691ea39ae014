import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks, withMember } from "./on_plan.ts";
import { SPECIALIST } from "./plan.ts";

/** A task for somebody who does not exist. */
export const unknownSpecialist = defineFault({
  id: "unknown_specialist",
  layer: "plan",
  visibility: "explicit",
  summary: "The plan's last task is for a specialist that the crew does not have.",
  correct: "Drop that task by name, run the valid rest, and disclose what is missing for it.",
  outcome: "unknown_specialist",
  example: "- { fault: unknown_specialist, at: agent:planner }",
  params: z.strictObject({
    name: z.string().min(1).default("poet").describe("Who it is for."),
  }),
  hooks: {
    turn: (reply, { params }) =>
      onTasks(
        reply,
        (tasks) => tasks.map((task, i) => i === tasks.length - 1 ? withMember(task, SPECIALIST, params.name) : task),
      ),
  },
});
