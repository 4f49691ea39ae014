import { z } from "zod";
import { defineFault } from "../fault.ts";
import { failed } from "./say.ts";

/** The key is wrong, expired or revoked. No attempt will ever be better. */
export const modelUnauthorized = defineFault({
  id: "model_unauthorized",
  layer: "model_api",
  visibility: "explicit",
  summary: "The model call is refused with 401.",
  correct: "Do not retry; report the refused credentials, and never the key.",
  outcome: "unauthorized",
  params: z.strictObject({
    message: z.string().min(1).default("Incorrect API key provided").describe("What it says."),
  }),
  hooks: {
    ask: (_request, { params: { message } }) => failed({ status: 401, message, code: "unauthorized" }),
  },
});
