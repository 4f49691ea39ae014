import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { progressTokenOf } from "./progress_token.ts";

/** Reports of progress, up to the reply. Nothing is wrong, but for a client that takes one for an answer. */
export const progress = defineFault({
  id: "progress",
  layer: "protocol",
  visibility: "implicit",
  summary: "Reports of progress come before the reply, some time apart.",
  correct: "Let them extend an idle limit, never the deadline of the call.",
  outcome: "ok",
  example: "- { fault: progress, at: kb.search_kb, count: 5, every: 500ms }",
  params: z.strictObject({
    count: z.int().positive().default(3).describe("How many reports there are."),
    every: duration.default(100).describe("The time between them, in milliseconds."),
  }),
  hooks: {
    async reply(_reply, { params, clock, signal, request, link }) {
      const progressToken = progressTokenOf(request);
      for (let done = 1; done <= params.count; done++) {
        link.notify("notifications/progress", { progressToken, progress: done, total: params.count });
        await sleep(clock, params.every, signal);
      }
    },
  },
});
