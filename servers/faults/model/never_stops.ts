import { z } from "zod";
import { defineFault } from "../fault.ts";
import { callAgain, callInstead } from "./again.ts";

/** A worker that calls its tool for ever. */
export const neverStops = defineFault({
  id: "never_stops",
  layer: "model_output",
  visibility: "implicit",
  summary: "The model repeats its last tool call, whatever comes back.",
  correct: "Count steps, see that nothing new is asked, stop, and report the budget with what was found so far.",
  outcome: "budget_steps",
  params: z.strictObject({}),
  hooks: {
    ask: (request, { call }) => callAgain(request, call, ""),
    turn: (reply, { request }) => callInstead(reply, request, ""),
  },
});
