import { z } from "zod";
import { defineFault } from "../fault.ts";
import { isNote, turned } from "./say.ts";

/** A worker that does another job than its own. */
export const offBriefWorker = defineFault({
  id: "off_brief_worker",
  layer: "model_output",
  visibility: "implicit",
  summary: "The worker's note is about something that nobody asked.",
  correct: "Compare the note with the objective and with the observations; a note that meets neither is not used.",
  outcome: "unverified",
  params: z.strictObject({
    text: z.string().min(1).default("I have drafted a poem about autumn instead; the leaves are turning.").describe(
      "What it says.",
    ),
  }),
  hooks: {
    turn: (reply, { params }) => isNote(reply) ? turned(reply, { text: params.text }) : undefined,
  },
});
