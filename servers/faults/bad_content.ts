import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult } from "./verdicts.ts";

/** A reply that keeps the rules of JSON-RPC, around a tool result that keeps none. */
export const badContent = defineFault({
  id: "bad_content",
  layer: "result",
  visibility: "explicit",
  summary: "The result's content does not have the shape that MCP gives it.",
  correct: "Fail the call with its own code; show no model the raw reply.",
  outcome: "malformed_result",
  example: "- { fault: bad_content, at: orders.find_order, shape: text_number }",
  params: z.strictObject({
    shape: z.enum(["null", "text", "object", "text_number", "no_type"]).default("null").describe(
      "The content is null, a text or an object; or a block's text is a number, or it has no type.",
    ),
  }),
  hooks: {
    reply(reply, { params }) {
      const made = {
        null: null,
        text: "ok",
        object: { type: "text", text: "ok" },
        text_number: [{ type: "text", text: 5 }],
        no_type: [{ text: "ok" }],
      };
      return replaceResult(reply, { content: made[params.shape] });
    },
  },
});
