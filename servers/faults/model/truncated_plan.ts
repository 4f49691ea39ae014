import { z } from "zod";
import { defineFault } from "../fault.ts";
import { findPlan } from "./plan.ts";
import { firstPart, turned } from "./say.ts";

/** The planner ran out of tokens. The most harmful of faults if the half is taken for the whole. */
export const truncatedPlan = defineFault({
  id: "truncated_plan",
  layer: "plan",
  visibility: "explicit",
  summary: "The plan is cut off in the middle.",
  correct: "Never run half a plan: ask once more, then take the fallback plan and say so.",
  outcome: "plan_malformed",
  example: "- { fault: truncated_plan, at: agent:planner }",
  params: z.strictObject({
    fraction: z.number().gt(0).lt(1).default(0.5).describe("The share of the plan that is left."),
    told: z.boolean().default(true).describe("Whether the turn says that it was cut (finish: length)."),
  }),
  hooks: {
    turn(reply, { params }) {
      const plan = findPlan(reply.text);
      if (plan === undefined) return;
      const text = plan.before + firstPart(plan.json, params.fraction);
      return turned(reply, { text, finish: params.told ? "length" : reply.finish });
    },
  },
});
