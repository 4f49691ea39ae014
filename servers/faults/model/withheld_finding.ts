import { z } from "zod";
import { defineFault } from "../fault.ts";
import { isNote, turned } from "./say.ts";

/** A conclusion without what it is drawn from. */
export const withheldFinding = defineFault({
  id: "withheld_finding",
  layer: "model_output",
  visibility: "implicit",
  summary: "The note says that the work is done, and not what was found.",
  correct: "Mark it as unverifiable; ask for the finding, or carry the observations instead.",
  outcome: "unverified",
  params: z.strictObject({
    text: z.string().min(1).default("I have looked into it and know what there is to know.").describe("What it says."),
  }),
  hooks: {
    turn: (reply, { params }) => isNote(reply) ? turned(reply, { text: params.text }) : undefined,
  },
});
