import { z } from "zod";
import { defineFault } from "../fault.ts";
import { findPlan } from "./plan.ts";
import { lastWord } from "./say.ts";

/** The planner answers, and there is nothing to do in what it says. */
export const emptyPlan = defineFault({
  id: "empty_plan",
  layer: "plan",
  visibility: "explicit",
  summary: "The plan has no tasks, or the planner's reply has no text.",
  correct: "Ask once more, then take the fallback plan and say so. Nothing to do is no success.",
  outcome: "plan_malformed",
  example: "- { fault: empty_plan, at: agent:planner }",
  params: z.strictObject({
    how: z.enum(["no_tasks", "no_text", "blank"]).default("no_tasks").describe("In which way it is empty."),
  }),
  hooks: {
    turn(reply, { params }) {
      const plan = findPlan(reply.text);
      if (plan === undefined) return;
      return lastWord(reply, { no_tasks: plan.render([]), no_text: "", blank: " \n\t" }[params.how]);
    },
  },
});
