import { z } from "zod";
import { defineFault } from "./fault.ts";
import { isSuccess, replaceResult } from "./verdicts.ts";

/** Content that is no text: a picture, a sound, or something from the next version of the protocol. */
export const unknownContent = defineFault({
  id: "unknown_content",
  layer: "result",
  visibility: "implicit",
  summary: "The result has a block of a kind that nobody can read, before its own or in place of it.",
  correct: "Leave a note that something was there, and use the rest; take nothing unreadable for empty.",
  outcome: "ok",
  example: "- { fault: unknown_content, at: kb.search_kb, type: hologram }",
  params: z.strictObject({
    type: z.string().min(1).default("image").describe(
      "The block's type; `image` and `audio` are known to the protocol.",
    ),
    alone: z.boolean().default(false).describe("Whether it is all there is."),
  }),
  hooks: {
    reply(reply, { params: { type, alone } }) {
      if (!isSuccess(reply)) return undefined;
      const block = { type, data: "iVBORw0KGgoAAAANSUhEUg==", mimeType: `${type}/png` };
      const { structuredContent: _, ...result } = reply.result;
      const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
      return alone
        ? replaceResult(reply, { content: [block] })
        : replaceResult(reply, { ...reply.result, content: [block, ...content] });
    },
  },
});
