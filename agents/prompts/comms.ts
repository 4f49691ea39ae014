import type { Prompt } from "./prompt.ts";
import { WORKING_RULES } from "./worker.ts";

/** What can be said to the customer. */
export const COMMS: Prompt = {
  id: "comms@1",
  text:
    `You are the wording specialist. You find in the knowledge base what can be said to the customer, and report that wording.
You add no promise, amount or date of your own.

${WORKING_RULES}`,
};
