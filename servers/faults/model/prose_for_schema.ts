import { z } from "zod";
import { defineFault } from "../fault.ts";
import { lastWord, memberOf } from "./say.ts";
import { findPlan, SPECIALIST } from "./plan.ts";

/** Friendly words where data was due; for ever, if it has no schedule. */
export const proseForSchema = defineFault({
  id: "prose_for_schema",
  layer: "model_output",
  visibility: "explicit",
  summary: "The plan comes as prose, without any JSON.",
  correct: "Ask once more with the error, then take the fallback plan and say so. Each attempt spends budget.",
  outcome: "plan_malformed",
  example: "- { fault: prose_for_schema, at: agent:planner }",
  params: z.strictObject({}),
  hooks: {
    turn(reply) {
      const plan = findPlan(reply.text);
      if (plan === undefined) return;
      const names = plan.tasks.map((task) => String(memberOf(task, SPECIALIST).value));
      return lastWord(reply, `I would ask ${names.join(", then ")}, and put what they find together.`);
    },
  },
});
