import { z } from "zod";
import { defineFault } from "../fault.ts";
import { turned } from "./say.ts";

/** A success with nothing in it. */
export const emptyReply = defineFault({
  id: "empty_reply",
  layer: "model_api",
  visibility: "implicit",
  summary: "The turn has neither text nor calls.",
  correct: "That is no finding: try once more, then report an empty result.",
  outcome: "empty_result",
  params: z.strictObject({}),
  hooks: {
    turn: (reply) => turned(reply, { text: "", calls: [], finish: "stop", usage: { ...reply.usage, outputTokens: 0 } }),
  },
});
