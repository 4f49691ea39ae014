import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult, textResult } from "./verdicts.ts";

/** An error whose structured part breaks the tool's own schema, which makes some clients lose the reason. */
export const errorWithSchema = defineFault({
  id: "error_with_schema",
  layer: "result",
  visibility: "explicit",
  summary: "An error result carries structured content that fits no schema.",
  correct: "Keep the server's reason; what an error looks like is not held against a schema.",
  outcome: "tool_error",
  params: z.strictObject({
    message: z.string().min(1).default("order store is read-only during maintenance").describe("The reason."),
  }),
  hooks: {
    reply: (reply, { params }) =>
      replaceResult(reply, { ...textResult(params.message, true), structuredContent: { error: { code: 17 } } }),
  },
});
