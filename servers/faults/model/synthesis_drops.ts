import { z } from "zod";
import { defineFault } from "../fault.ts";
import { isNote, turned } from "./say.ts";

/** What was found is lost on its way into the answer. */
export const synthesisDrops = defineFault({
  id: "synthesis_drops",
  layer: "model_output",
  visibility: "implicit",
  summary: "The text loses its last sentence.",
  correct: "Compare the answer with the notes it was made from; what is missing is put back or disclosed.",
  outcome: "ok",
  params: z.strictObject({}),
  hooks: {
    turn(reply) {
      const sentences = reply.text.trim().split(/(?<=[.!?;])\s+/);
      if (!isNote(reply) || sentences.length < 2) return;
      return turned(reply, { text: sentences.slice(0, -1).join(" ") });
    },
  },
});
