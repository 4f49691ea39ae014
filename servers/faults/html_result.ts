import { z } from "zod";
import { defineFault } from "./fault.ts";
import { replaceResult, textResult } from "./verdicts.ts";

/** A page of HTML that a server has taken for its own data, and passes on as a success. */
export const htmlResult = defineFault({
  id: "html_result",
  layer: "result",
  visibility: "implicit",
  summary: "The call succeeds, and its text is a page of HTML about an error.",
  correct: "Recognise the page, count the call as failed, and never hand it to a model as data.",
  outcome: "tool_error",
  params: z.strictObject({
    status: z.int().min(400).max(599).default(503).describe("The HTTP status that the page speaks of."),
  }),
  hooks: {
    reply: (reply, { params: { status } }) =>
      replaceResult(
        reply,
        textResult(
          `<!DOCTYPE html>\n<html><head><title>${status} Service Unavailable</title></head>` +
            `<body><h1>${status} Service Unavailable</h1><p>Please try again later.</p></body></html>`,
          false,
        ),
      ),
  },
});
