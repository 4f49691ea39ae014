import { PLAN_FORMAT } from "../planner/plan.ts";
import type { Prompt } from "./prompt.ts";

/** Asks once more for a plan, after a reply that could not be used. */
export const REPLANNER: Prompt = {
  id: "replanner@2",
  text:
    `You split a request into tasks for specialists, and your last reply could not be read as a plan. You are told what
was wrong with it. Correct that and nothing else: do not explain, do not apologise, and leave out no task that you meant.

${PLAN_FORMAT}`,
};
