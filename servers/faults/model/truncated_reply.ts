import { z } from "zod";
import { defineFault } from "../fault.ts";
import { firstPart, turned } from "./say.ts";

/** The model ran out of tokens while it was speaking. */
export const truncatedReply = defineFault({
  id: "truncated_reply",
  layer: "model_output",
  visibility: "explicit",
  summary: "The text is cut off in the middle, and the turn says so.",
  correct: "Never take the half for the whole: try again with more room, or fail and say that it was cut.",
  outcome: "model_error",
  params: z.strictObject({
    fraction: z.number().gt(0).lt(1).default(0.5).describe("The share of the text that is left."),
  }),
  hooks: {
    turn(reply, { params }) {
      if (reply.text.length < 2) return;
      return turned(reply, { text: firstPart(reply.text, params.fraction), calls: [], finish: "length" });
    },
  },
});
