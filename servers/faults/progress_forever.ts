import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { progressTokenOf } from "./progress_token.ts";
import { DROP } from "./verdicts.ts";

/** A call that is always about to be done. */
export const progressForever = defineFault({
  id: "progress_forever",
  layer: "protocol",
  visibility: "implicit",
  summary: "Progress is reported for ever, and the result never comes.",
  correct: "Have an absolute deadline, which no report of progress moves.",
  outcome: "timeout",
  params: z.strictObject({
    every: duration.default(1000).describe("The time between reports, in milliseconds."),
  }),
  hooks: {
    async reply(_reply, { params, clock, signal, request, link, cancelled }) {
      const progressToken = progressTokenOf(request);
      let isOver = false;
      void cancelled().then(() => isOver = true);
      for (let progress = 1; !isOver; progress++) {
        link.notify("notifications/progress", { progressToken, progress });
        await sleep(clock, Math.max(1, params.every), signal);
      }
      return DROP;
    },
  },
});
