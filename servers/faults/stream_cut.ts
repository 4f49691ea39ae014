import { z } from "zod";
import { defineFault } from "./fault.ts";
import { progressTokenOf } from "./progress_token.ts";
import { DROP } from "./verdicts.ts";

/**
 * A stream that is dropped between two messages, so that no half line tells. Over HTTP it is a cut stream of events, which
 * could be resumed; over stdio, which has nothing to resume, progress is reported and then the connection ends.
 */
export const streamCut = defineFault({
  id: "stream_cut",
  layer: "transport",
  visibility: "explicit",
  summary: "Progress is reported, and then the connection ends at the end of a message, without the reply.",
  correct: "Resume where that can be done; otherwise fail the call cleanly, and do not wait for its deadline.",
  outcome: "server_down",
  lasts: "transient",
  example: "- { fault: stream_cut, at: kb.search_kb, reports: 2 }",
  params: z.strictObject({
    reports: z.int().nonnegative().default(2).describe("How many reports of progress come first."),
  }),
  hooks: {
    reply(_reply, { params, request, link }) {
      const progressToken = progressTokenOf(request);
      for (let progress = 1; progress <= params.reports; progress++) {
        link.notify("notifications/progress", { progressToken, progress });
      }
      link.hangUp();
      return DROP;
    },
  },
});
