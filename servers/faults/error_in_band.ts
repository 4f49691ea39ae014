import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult, textResult } from "./verdicts.ts";

/**
 * A failure in the clothes of a success, as many real servers have it: the result carries no error flag, and its text is
 * an error object.
 */
export const errorInBand = defineFault({
  id: "error_in_band",
  layer: "result",
  visibility: "implicit",
  summary: 'The call succeeds, and its text is {"error": …}.',
  correct: "Recognise the error by its shape, count the call as failed, and disclose it like any other.",
  outcome: "tool_error",
  lanes: { sim: true, wire: true },
  params: z.strictObject({
    message: z.string().min(1).default("upstream request failed").describe("The value of `error`."),
  }),
  hooks: {
    reply: (reply, { params }) => replaceResult(reply, textResult(JSON.stringify({ error: params.message }), false)),
  },
});
