import { z } from "zod";
import { defineFault } from "./fault.ts";
import { answerError } from "./verdicts.ts";

/** A server that does not know the method: of another version, or behind a router that does not. */
export const methodNotFound = defineFault({
  id: "method_not_found",
  layer: "protocol",
  visibility: "explicit",
  summary: "The request is answered with -32601, method not found.",
  correct: "Do not repeat it; disclose what could not be asked.",
  outcome: "tool_error",
  lasts: "permanent",
  params: z.strictObject({}),
  hooks: { request: (message) => answerError(message, { code: -32601, message: "Method not found" }) },
});
