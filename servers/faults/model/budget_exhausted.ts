import { z } from "zod";
import { defineFault } from "../fault.ts";
import { turned } from "./say.ts";

/** Each turn costs far more than it should, and the budget is gone with work left. */
export const budgetExhausted = defineFault({
  id: "budget_exhausted",
  layer: "budget",
  visibility: "explicit",
  summary: "The usage of a turn is larger by a given number of tokens.",
  correct: "Stop cleanly when the budget is gone, and list what was not done.",
  outcome: "budget_tokens",
  params: z.strictObject({
    tokens: z.int().positive().default(1_000_000).describe("How many output tokens are added to each turn."),
  }),
  hooks: {
    turn: (reply, { params }) =>
      turned(reply, { usage: { ...reply.usage, outputTokens: reply.usage.outputTokens + params.tokens } }),
  },
});
