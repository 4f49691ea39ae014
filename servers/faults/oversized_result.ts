import { z } from "zod";
import { defineFault } from "./fault.ts";
import { addText } from "./verdicts.ts";

/** A result that fits in a line and in no context window. */
export const oversizedResult = defineFault({
  id: "oversized_result",
  layer: "result",
  visibility: "implicit",
  summary: "The result is right, and megabytes of filling come after it.",
  correct: "Cut it with a notice, and keep what findings rest on.",
  outcome: "ok",
  example: "- { fault: oversized_result, at: kb.search_kb, bytes: 1000000 }",
  params: z.strictObject({
    bytes: z.int().positive().max(15_000_000).default(5_000_000).describe("The length of the filling, in bytes."),
  }),
  hooks: {
    reply(reply, { params }) {
      const sentence = "See also the related entries. ";
      return addText(reply, sentence.repeat(Math.ceil(params.bytes / sentence.length)).slice(0, params.bytes));
    },
  },
});
