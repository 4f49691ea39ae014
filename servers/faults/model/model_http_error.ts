import { z } from "zod";
import { defineFault } from "../fault.ts";
import type { FailureCode } from "../../../core/mod.ts";
import { failed } from "./say.ts";

const CODES: Readonly<Record<number, FailureCode>> = { 401: "unauthorized", 403: "unauthorized", 429: "rate_limited" };

/** The provider's own failure, before any of the reply. */
export const modelHttpError = defineFault({
  id: "model_http_error",
  layer: "model_api",
  visibility: "explicit",
  summary: "The model call fails with an HTTP status.",
  correct:
    "Retry 5xx and 529 with a bounded backoff and the others not at all; then disclose that the model could not be asked.",
  outcome: "model_error",
  params: z.strictObject({
    status: z.int().min(400).max(599).default(500).describe("The HTTP status."),
    message: z.string().min(1).default("The server had an error while processing your request").describe(
      "What it says.",
    ),
  }),
  hooks: {
    ask: (_request, { params: { status, message } }) =>
      failed({ status, message, code: CODES[status] ?? "model_error" }),
  },
});
