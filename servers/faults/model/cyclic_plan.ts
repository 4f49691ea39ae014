import { z } from "zod";
import type { Json } from "../../../core/mod.ts";
import { defineFault } from "../fault.ts";
import { onTasks, withMember } from "./on_plan.ts";
import { idOf, NEEDS } from "./plan.ts";

/** Dependencies that can never be met. */
export const cyclicPlan = defineFault({
  id: "cyclic_plan",
  layer: "plan",
  visibility: "implicit",
  summary: "The plan's tasks wait for each other, for themselves, or for a task that is not there.",
  correct:
    "Reject it before anything is dispatched, naming the cycle or the missing task; then as for any malformed plan.",
  outcome: "plan_malformed",
  example: "- { fault: cyclic_plan, at: agent:planner }",
  params: z.strictObject({
    how: z.enum(["cycle", "self", "dangling"]).default("cycle").describe("Whom the first tasks wait for."),
  }),
  hooks: {
    turn: (reply, { params }) =>
      onTasks(reply, (tasks) => {
        const ids = tasks.map(idOf);
        const ring = params.how === "cycle" ? tasks.length : 1;
        return tasks.map((task, i) => {
          if (i >= ring) return task;
          const needs: Json = params.how === "dangling" ? "t-missing" : ids[(i + 1) % ring] ?? "";
          return { ...withMember(task, NEEDS, [needs]), id: ids[i] ?? "" };
        });
      }),
  },
});
