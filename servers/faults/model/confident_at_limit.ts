import { z } from "zod";
import { defineFault } from "../fault.ts";
import { callAgain, callInstead } from "./again.ts";

/** It runs into its step limit, with a last sentence that sounds like success. */
export const confidentAtLimit = defineFault({
  id: "confident_at_limit",
  layer: "model_output",
  visibility: "implicit",
  summary: "The model calls tools for ever, and says each time that all is done.",
  correct: "Report the step limit, never the last sentence as a result.",
  outcome: "budget_steps",
  params: z.strictObject({
    text: z.string().min(1).default("I have verified everything; the case is resolved.").describe(
      "What it says with each call.",
    ),
  }),
  hooks: {
    ask: (request, { params, call }) => callAgain(request, call, params.text),
    turn: (reply, { params, request }) => callInstead(reply, request, params.text),
  },
});
