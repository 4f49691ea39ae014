import { z } from "zod";
import { defineFault, type Step } from "./fault.ts";
import { DROP } from "./verdicts.ts";

/** A server that dies of a call, and is not there any more. */
export const crash = defineFault({
  id: "crash",
  layer: "transport",
  visibility: "explicit",
  summary: "The server ends the connection at a call, and takes no new one.",
  correct: "Fail every call in flight at once, do not repeat one that may have acted, and disclose the lost server.",
  outcome: "server_down",
  lasts: "permanent",
  example: "- { fault: crash, at: orders.find_order, moment: mid_reply, when: { calls: [2] } }",
  params: z.strictObject({
    moment: z.enum(["on_request", "before_reply", "mid_reply", "after_reply"]).default("before_reply").describe(
      "When: before the server sees the call, instead of its reply, in the middle of it, or after it.",
    ),
    restarts: z.boolean().default(false).describe("Whether it can be connected to again."),
  }),
  hooks: () => {
    let isGone = false;
    return {
      connect: ({ params }) => isGone && !params.restarts ? { do: "refuse", reason: "connection refused" } : undefined,
      request(_message, { params, link }) {
        if (params.moment !== "on_request") return undefined;
        isGone = true;
        link.hangUp();
        return DROP;
      },
      bytes(line, { params }): Step[] {
        isGone = true;
        const sent = { on_request: 0, before_reply: 0, mid_reply: line.length >> 1, after_reply: line.length };
        return [line.subarray(0, sent[params.moment]), "hang_up"];
      },
    };
  },
});
