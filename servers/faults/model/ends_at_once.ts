import { z } from "zod";
import { defineFault } from "../fault.ts";
import { lastWord } from "./say.ts";

/** A worker that concludes before it has looked. */
export const endsAtOnce = defineFault({
  id: "ends_at_once",
  layer: "model_output",
  visibility: "implicit",
  summary: "Instead of its first tool calls the model gives a final note.",
  correct: "A note without observations proves nothing: mark it unverified, never as a finding.",
  outcome: "unverified",
  params: z.strictObject({
    text: z.string().min(1).default("All checks are complete and everything is in order.").describe("What it says."),
  }),
  hooks: {
    turn: (reply, { params, call }) => call === 1 && reply.calls.length > 0 ? lastWord(reply, params.text) : undefined,
  },
});
