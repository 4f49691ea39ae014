import { z } from "zod";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";
import { replaceByError } from "./verdicts.ts";

/** A server that is up, lists its tools, and fails every call: the brownout itself. */
export const internalError = defineFault({
  id: "internal_error",
  layer: "protocol",
  visibility: "explicit",
  summary: "The server has seen the request, and answers -32603, internal error.",
  correct: "Do not take a connection for health: open the circuit after some of these, and disclose.",
  outcome: "tool_error",
  params: z.strictObject({
    message: z.string().min(1).default("Internal error").describe("The error's message."),
    on: ON,
  }),
  phase: onPhase,
  hooks: { reply: (reply, { params }) => replaceByError(reply, { code: -32603, message: params.message }) },
});
