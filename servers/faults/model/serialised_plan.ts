import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks, withMember } from "./on_plan.ts";
import { idOf, NEEDS } from "./plan.ts";

/** An order that the data does not demand. Right, and slow. */
export const serialisedPlan = defineFault({
  id: "serialised_plan",
  layer: "plan",
  visibility: "implicit",
  summary: "Each task of the plan waits for the one before it.",
  correct: "Run it; a plan's order is an upper bound, and one that no data demands may be left out.",
  outcome: "ok",
  example: "- { fault: serialised_plan, at: agent:planner }",
  params: z.strictObject({}),
  hooks: {
    turn: (reply) =>
      onTasks(reply, (tasks) => {
        if (tasks.length < 2) return undefined;
        const ids = tasks.map(idOf);
        return tasks.map((task, i) => ({
          ...(i === 0 ? task : withMember(task, NEEDS, [ids[i - 1] ?? ""])),
          id: ids[i] ?? "",
        }));
      }),
  },
});
