import { z } from "zod";
import { defineFault } from "../fault.ts";
import { turned } from "./say.ts";

/** The model declines. */
export const modelRefusal = defineFault({
  id: "model_refusal",
  layer: "model_api",
  visibility: "explicit",
  summary: "Instead of its turn the model says that it will not help.",
  correct: "Report it as refused, with its words; do not argue with it, and do not answer in its stead.",
  outcome: "refused",
  params: z.strictObject({
    text: z.string().min(1).default("I can't help with that.").describe("What it says."),
    told: z.boolean().default(true).describe("Whether the turn is marked as a refusal."),
  }),
  hooks: {
    turn: (reply, { params }) =>
      turned(reply, { text: params.text, calls: [], finish: params.told ? "refusal" : "stop" }),
  },
});
