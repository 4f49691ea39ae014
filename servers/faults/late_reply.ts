import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";

/** A right answer, after the one who asked has given up. */
export const lateReply = defineFault({
  id: "late_reply",
  layer: "protocol",
  visibility: "implicit",
  summary: "The reply is held until the call is called off, and comes after that.",
  correct: "Drop it: it must never end up in the answer, nor with another call.",
  outcome: "timeout",
  params: z.strictObject({
    ms: duration.default(100).describe("How long after the cancellation it comes, in milliseconds."),
  }),
  hooks: {
    async reply(_reply, { params, clock, signal, cancelled }) {
      await cancelled();
      await sleep(clock, params.ms, signal);
    },
  },
});
