import { z } from "zod";
import { defineFault } from "./fault.ts";
import { toolsOf, withTools } from "./listing.ts";
import { answerResult, isSuccess } from "./verdicts.ts";

/** A list of tools that never ends, because there is always one more page. */
export const paginationLoop = defineFault({
  id: "pagination_loop",
  layer: "protocol",
  visibility: "implicit",
  summary: "Every page of the list of tools names a next one.",
  correct: "Follow cursors up to a cap, notice one that repeats, and use the tools that were listed.",
  outcome: "ok",
  example: "- { fault: pagination_loop, at: kb, cursor: fresh }",
  params: z.strictObject({
    cursor: z.enum(["same", "fresh"]).default("same").describe("Whether the cursor is always the same."),
  }),
  applies: ["server"],
  phase: "list",
  hooks: () => {
    let page = 0;
    const next = (cursor: "same" | "fresh") => cursor === "same" ? "brownout-again" : `brownout-${++page}`;
    return {
      request(message, { params }) {
        const { cursor } = message.params ?? {};
        if (typeof cursor !== "string" || !cursor.startsWith("brownout-")) return undefined;
        return answerResult(message.id, { tools: [], nextCursor: next(params.cursor) });
      },
      list: (reply, { params, request }) =>
        request?.params?.cursor === undefined && isSuccess(reply)
          ? withTools(reply, toolsOf(reply), { nextCursor: next(params.cursor) })
          : undefined,
    };
  },
});
