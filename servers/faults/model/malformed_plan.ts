import { z } from "zod";
import { defineFault } from "../fault.ts";
import type { FoundPlan } from "./plan.ts";
import { onPlan, withMember } from "./on_plan.ts";

const WAYS: Readonly<Record<string, (plan: FoundPlan) => string>> = {
  two_plans: (plan) => {
    const rival = plan.tasks.map((task) => withMember(task, ["objective", "ask", "task"], "Do it all again."));
    return `${plan.json}\n\nOr, alternatively:\n\n${plan.render(rival)}`;
  },
  invented_closing: ({ json }) => json.replace(/[\]}]\s*[\]}]\s*$/, "<end of plan>"),
  ellipsis: ({ json }) => json.replace(/\]\s*\}\s*$/, ", ...]}"),
};

/** A plan that cannot be read without guessing. */
export const malformedPlan = defineFault({
  id: "malformed_plan",
  layer: "plan",
  visibility: "explicit",
  summary: "The reply holds two rival plans, or JSON that no repair can complete without inventing.",
  correct:
    "Never execute half of it or pick one: ask once more with the error, then take the fallback plan and say so.",
  outcome: "plan_malformed",
  example: "- { fault: malformed_plan, at: agent:planner }",
  params: z.strictObject({
    how: z.enum(["two_plans", "invented_closing", "ellipsis"]).default("two_plans").describe("What is wrong with it."),
  }),
  hooks: { turn: (reply, { params }) => onPlan(reply, (plan) => WAYS[params.how]?.(plan)) },
});
