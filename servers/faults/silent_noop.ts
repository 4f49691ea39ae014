import { z } from "zod";
import { defineFault } from "./fault.ts";
import { answerResult, textResult } from "./verdicts.ts";

/** A call that says that it has done something, and has done nothing: the server never sees it. */
export const silentNoop = defineFault({
  id: "silent_noop",
  layer: "semantic",
  visibility: "implicit",
  summary: "The call is answered with success, and nothing was done.",
  correct: "Read back what was written before claiming that it is done.",
  outcome: "ok",
  applies: ["tool"],
  example: "- { fault: silent_noop, at: refunds.issue_refund }",
  params: z.strictObject({
    text: z.string().min(1).default('{"ok":true}').describe("The text of the result."),
  }),
  hooks: { request: ({ id }, { params }) => answerResult(id, textResult(params.text, false)) },
});
