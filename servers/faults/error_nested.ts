import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult, textResult } from "./verdicts.ts";

/** An error that a gateway has wrapped into a success of its own. */
export const errorNested = defineFault({
  id: "error_nested",
  layer: "result",
  visibility: "implicit",
  summary: "The call succeeds, and its text is another result, which is an error.",
  correct: "Unwrap it, count the call as failed, and keep the inner reason.",
  outcome: "tool_error",
  example: "- { fault: error_nested, at: policy.check_policy, shape: status }",
  params: z.strictObject({
    shape: z.enum(["result", "success", "status"]).default("result").describe(
      "The inner error: a tool result with isError, an object with success: false, or one with a status of 500.",
    ),
    message: z.string().min(1).default("upstream request failed").describe("The inner reason."),
  }),
  hooks: {
    reply(reply, { params: { shape, message } }) {
      const inner = {
        result: { content: [{ type: "text", text: message }], isError: true },
        success: { success: false, data: null, message },
        status: { statusCode: 500, body: JSON.stringify({ message }) },
      };
      return replaceResult(reply, textResult(JSON.stringify(inner[shape]), false));
    },
  },
});
