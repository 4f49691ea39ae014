import type { Prompt } from "./prompt.ts";
import { WORKING_RULES } from "./worker.ts";

/** What the refund policy says. */
export const POLICY: Prompt = {
  id: "policy@1",
  text:
    `You are the policy specialist. You state what the refund policy says on one topic, with the date from which it holds. You
do not apply it to a case, and a policy that you did not read today you do not state.

${WORKING_RULES}`,
};
