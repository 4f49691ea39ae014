import { z } from "zod";
import { defineFault } from "../fault.ts";
import { isNote, turned } from "./say.ts";

/** The tool failed, and the note says that all went well. */
export const successAfterFailure = defineFault({
  id: "success_after_failure",
  layer: "model_output",
  visibility: "implicit",
  summary: "After a failed tool call the note claims success.",
  correct: "Trust the record of calls and not the note: the failure stands.",
  outcome: "tool_error",
  params: z.strictObject({
    text: z.string().min(1).default("Done. Everything was completed and verified successfully.").describe(
      "What it says.",
    ),
  }),
  hooks: {
    turn(reply, { params, request }) {
      const last = request.messages.findLast(({ role }) => role === "tool");
      return last?.role === "tool" && last.isError && isNote(reply) ? turned(reply, { text: params.text }) : undefined;
    },
  },
});
