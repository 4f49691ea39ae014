import { z } from "zod";
import { defineFault } from "./fault.ts";
import { toolsOf } from "./listing.ts";
import { answerResult, replaceResult } from "./verdicts.ts";

/** A list of tools in small pages. Nothing is wrong, but for a client that reads only the first. */
export const pagedList = defineFault({
  id: "paged_list",
  layer: "protocol",
  visibility: "implicit",
  summary: "The list of tools comes in pages.",
  correct: "Follow nextCursor to the end.",
  outcome: "ok",
  params: z.strictObject({
    size: z.int().positive().default(1).describe("How many tools are on a page."),
  }),
  applies: ["server"],
  phase: "list",
  hooks: () => {
    let tools: readonly unknown[] = [];
    const page = (from: number, size: number) => ({
      tools: tools.slice(from, from + size),
      ...(from + size < tools.length ? { nextCursor: `brownout-${from + size}` } : {}),
    });
    return {
      request(message, { params }) {
        const from = /^brownout-(\d+)$/.exec(String(message.params?.cursor))?.[1];
        return from === undefined ? undefined : answerResult(message.id, page(Number(from), params.size));
      },
      list(reply, { params, request }) {
        if (request?.params?.cursor !== undefined || toolsOf(reply).length <= params.size) return undefined;
        tools = toolsOf(reply);
        return replaceResult(reply, page(0, params.size));
      },
    };
  },
});
