import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult, textResult } from "./verdicts.ts";

/**
 * The tool says that it failed. The server has seen the call and may have acted on it; only its answer is lost.
 *
 * With `when: { first: 1 }` it is a flaky tool, which a retry gets past.
 */
export const toolError = defineFault({
  id: "tool_error",
  layer: "result",
  visibility: "explicit",
  summary: "The call is answered by an error result (isError) instead of its own.",
  correct: "Retry once if the call may be repeated; otherwise disclose which tool failed, and what is missing for it.",
  outcome: "tool_error",
  lanes: { sim: true, wire: true },
  params: z.strictObject({
    message: z.string().min(1).default("the service could not complete the request").describe("The text of the error."),
  }),
  hooks: {
    reply: (reply, { params }) => replaceResult(reply, textResult(params.message, true)),
  },
});
