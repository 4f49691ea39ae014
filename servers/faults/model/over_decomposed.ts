import { z } from "zod";
import { defineFault } from "../fault.ts";
import { onTasks } from "./on_plan.ts";
import { idOf } from "./plan.ts";

/** The same work, many times over, under new names. */
export const overDecomposed = defineFault({
  id: "over_decomposed",
  layer: "plan",
  visibility: "implicit",
  summary: "Each task of the plan stands there several times.",
  correct: "Run equal tasks once, and cap how many a plan may have.",
  outcome: "ok",
  example: "- { fault: over_decomposed, at: agent:planner }",
  params: z.strictObject({
    times: z.int().min(2).max(1000).default(4).describe("How often each task stands there."),
  }),
  hooks: {
    turn: (reply, { params }) =>
      onTasks(reply, (tasks) => [
        ...tasks,
        ...Array.from({ length: params.times - 1 }, (_, copy) =>
          tasks.map((task, i) => ({ ...task, id: `${idOf(task, i)}-${copy + 2}` }))).flat(),
      ]),
  },
});
