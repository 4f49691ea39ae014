import { z } from "zod";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";
import { answerError } from "./verdicts.ts";

/**
 * Credentials that do not do, or no longer. Over HTTP it is a status; over stdio it stands in the `data` of an error of
 * the protocol.
 */
export const unauthorized = defineFault({
  id: "unauthorized",
  layer: "transport",
  visibility: "explicit",
  summary: "The request is answered with 401, 403, or 404 for a session that is over.",
  correct: "Do not repeat it; disclose that access was refused, and ask nobody for other credentials.",
  outcome: "unauthorized",
  lasts: "permanent",
  example: "- { fault: unauthorized, at: policy, status: 403 }",
  params: z.strictObject({
    status: z.union([z.literal(401), z.literal(403), z.literal(404)]).default(401).describe(
      "401: not known; 403: not allowed; 404: the session is over.",
    ),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    request: (message, { params: { status } }) => {
      const words = { 401: "401 Unauthorized", 403: "403 Forbidden", 404: "404 Session not found" };
      return answerError(message, { code: -32001, message: words[status], data: { status } });
    },
  },
});
