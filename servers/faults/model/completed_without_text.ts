import { z } from "zod";
import { defineFault } from "../fault.ts";
import { isNote, turned } from "./say.ts";

/** A worker that ends, and says nothing. */
export const completedWithoutText = defineFault({
  id: "completed_without_text",
  layer: "model_output",
  visibility: "implicit",
  summary: "The last word is empty, blank, or nothing but reasoning.",
  correct: "That is no finding: try once more, then report an empty result.",
  outcome: "empty_result",
  params: z.strictObject({
    how: z.enum(["no_text", "blank", "reasoning"]).default("no_text").describe("What there is instead of a text."),
  }),
  hooks: {
    turn(reply, { params }) {
      if (!isNote(reply)) return;
      const text = { no_text: "", blank: " \n\t ", reasoning: "<think>So that is how it is.</think>" }[params.how];
      return turned(reply, { text });
    },
  },
});
