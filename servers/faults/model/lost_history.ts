import { z } from "zod";
import { defineFault } from "../fault.ts";

/** The model begins anew: it sees the brief, and nothing of what it has done since. */
export const lostHistory = defineFault({
  id: "lost_history",
  layer: "model_output",
  visibility: "implicit",
  summary: "The model is asked without all but the first messages of the conversation.",
  correct: "Keep results outside the model, see that calls repeat, and stop at the step limit with what is known.",
  outcome: "budget_steps",
  params: z.strictObject({
    keep: z.int().min(1).default(1).describe("How many messages are left, from the first."),
  }),
  hooks: {
    ask: ({ messages }, { params }) =>
      messages.length > params.keep
        ? { do: "replace", change: { messages: messages.slice(0, params.keep) } }
        : undefined,
  },
});
