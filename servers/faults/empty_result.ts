import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult, textResult } from "./verdicts.ts";

/** A result without content: not a list without entries, but nothing at all. */
export const emptyResult = defineFault({
  id: "empty_result",
  layer: "result",
  visibility: "implicit",
  summary: "The call succeeds, and its result has no content.",
  correct: "Tell it from an answer that says nothing was found; retry once, then disclose.",
  outcome: "empty_result",
  example: "- { fault: empty_result, at: kb.search_kb, shape: blank_text }",
  params: z.strictObject({
    shape: z.enum(["no_blocks", "no_content", "blank_text", "null_text"]).default("no_blocks").describe(
      "An empty list of content, no content at all, a text of white space, or the text `null`.",
    ),
  }),
  hooks: {
    reply(reply, { params }) {
      const made = {
        no_blocks: { content: [] },
        no_content: {},
        blank_text: textResult(" \n", false),
        null_text: textResult("null", false),
      };
      return replaceResult(reply, made[params.shape]);
    },
  },
});
