import { z } from "zod";
import { defineFault } from "./fault.ts";
import { answerError } from "./verdicts.ts";

/** A server that does not take the arguments, whatever they are. */
export const badParams = defineFault({
  id: "bad_params",
  layer: "protocol",
  visibility: "explicit",
  summary: "The call is answered with -32602, invalid params.",
  correct: "Correct the arguments once, if they were wrong; otherwise do not repeat the call.",
  outcome: "tool_error",
  params: z.strictObject({
    message: z.string().min(1).default("Invalid params: order_id must be a UUID").describe("The error's message."),
  }),
  hooks: { request: (message, { params }) => answerError(message, { code: -32602, message: params.message }) },
});
