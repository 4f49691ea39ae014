import { z } from "zod";
import { defineFault } from "./fault.ts";
import { editTexts } from "./json_edit.ts";
import { isSuccess, replaceResult } from "./verdicts.ts";

/** The most harmful fault, and the least noticed: a result that stops in the middle. */
export const truncatedResult = defineFault({
  id: "truncated_result",
  layer: "result",
  visibility: "implicit",
  summary: "The result's text breaks off.",
  correct: "Notice that an end, a bracket or a total is missing, and say that the result is partial.",
  outcome: "ok",
  example: "- { fault: truncated_result, at: kb.search_kb, keep: 0.3 }",
  params: z.strictObject({
    keep: z.number().gt(0).lt(1).default(0.5).describe("The share of the text that is left, from 0 to 1."),
    marker: z.string().default("").describe("What stands at the end, if anything says that more was there."),
  }),
  hooks: {
    reply(reply, { params }) {
      if (!isSuccess(reply)) return undefined;
      const { structuredContent: _, ...result } = reply.result;
      let isCut = false;
      const content = editTexts(result, (text) => {
        const characters = [...text];
        if (characters.length < 2) return text;
        isCut = true;
        return characters.slice(0, Math.max(1, Math.floor(characters.length * params.keep))).join("") + params.marker;
      });
      return isCut ? replaceResult(reply, { ...result, content }) : undefined;
    },
  },
});
