import { z } from "zod";
import { defineFault } from "./fault.ts";
import { answerError } from "./verdicts.ts";

/** A server that answers, and will not begin. */
export const initializeRefused = defineFault({
  id: "initialize_refused",
  layer: "protocol",
  visibility: "explicit",
  summary: "The request to initialize is answered with an error.",
  correct: "Take the server for down, keep its reason, and start with the others.",
  outcome: "server_down",
  params: z.strictObject({
    message: z.string().min(1).default("Server is shutting down").describe("The error's message."),
  }),
  phase: "initialize",
  hooks: { request: (message, { params }) => answerError(message, { code: -32000, message: params.message }) },
});
