import { z } from "zod";
import { defineFault } from "../fault.ts";
import { turned } from "./say.ts";

/** The model's private reasoning comes with its reply, and holds a plan and a claim that it did not mean. */
export const leakedReasoning = defineFault({
  id: "leaked_reasoning",
  layer: "model_output",
  visibility: "implicit",
  summary: "The text begins with reasoning in tags, in which another plan is weighed and rejected.",
  correct: "Set the reasoning aside before anything is read from the text.",
  outcome: "ok",
  params: z.strictObject({
    tag: z.enum(["think", "thinking", "reasoning"]).default("think").describe("The tag it stands in."),
  }),
  hooks: {
    turn(reply, { params: { tag } }) {
      if (reply.text.trim() === "") return;
      const draft = '{"tasks": [{"id": "x", "specialist": "nobody", "objective": "guess"}]}';
      return turned(reply, { text: `<${tag}>First idea: ${draft}. No, that is wrong.</${tag}>\n${reply.text}` });
    },
  },
});
