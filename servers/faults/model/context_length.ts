import { z } from "zod";
import { defineFault } from "../fault.ts";
import { failed } from "./say.ts";

/** The conversation has outgrown the model. */
export const contextLength = defineFault({
  id: "context_length",
  layer: "model_api",
  visibility: "explicit",
  summary: "The model call is refused because it is too long.",
  correct: "Do not send the same again: make it shorter, or fail and disclose.",
  outcome: "model_error",
  params: z.strictObject({
    tokens: z.int().positive().default(8192).describe("How many tokens the model takes."),
  }),
  hooks: {
    ask: (_request, { params: { tokens } }) =>
      failed({
        status: 400,
        message: `prompt is too long: this model's maximum context length is ${tokens} tokens`,
        code: "model_error",
        apiCode: "context_length_exceeded",
      }),
  },
});
