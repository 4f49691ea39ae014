import { z } from "zod";
import { defineFault } from "../fault.ts";
import type { FoundPlan } from "./plan.ts";
import { onPlan } from "./on_plan.ts";

const STYLES: Readonly<Record<string, (plan: FoundPlan) => string>> = {
  fence: ({ json }) => `\n\`\`\`json\n${json}\n\`\`\`\n`,
  prose: ({ json }) => `Certainly! Here is the plan {as you asked}:\n${json}\nShall I go on?`,
  trailing_commas: ({ json }) => json.replace(/\}(\s*)\]/g, "},$1]"),
  comments: ({ json }) => json.replace(/^\{/, "{ // the plan\n"),
  string: ({ json }) => JSON.stringify(json),
  reasoning: ({ json }) => `<think>Who should do what? Perhaps one task is enough.</think>\n${json}`,
};

/** The plan is right, and does not come as the bare JSON that was asked for. Models do this more often than not. */
export const fencedPlan = defineFault({
  id: "fenced_plan",
  layer: "plan",
  visibility: "explicit",
  summary: "The plan stands in a code fence, in prose, or in JSON that is nearly strict.",
  correct: "Extract it, validate it, record the repair, and run it.",
  outcome: "ok",
  example: "- { fault: fenced_plan, at: agent:planner }",
  params: z.strictObject({
    style: z.enum(["fence", "prose", "trailing_commas", "comments", "string", "reasoning"]).default("fence").describe(
      "What is around it or wrong with it.",
    ),
  }),
  hooks: { turn: (reply, { params }) => onPlan(reply, (plan) => STYLES[params.style]?.(plan)) },
});
