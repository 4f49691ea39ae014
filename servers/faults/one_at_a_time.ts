import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";

/** A server that looks concurrent and is not: each call waits for the one before. */
export const oneAtATime = defineFault({
  id: "one_at_a_time",
  layer: "concurrency",
  visibility: "implicit",
  summary: "The server works on one call at a time, and each takes a while.",
  correct: "Count the waiting against the deadline, and spread work over other servers first.",
  outcome: "ok",
  params: z.strictObject({
    ms: duration.default(500).describe("How long each call takes, in milliseconds."),
  }),
  hooks: () => {
    let isFreeAt = 0;
    return {
      reply(_reply, { params, clock, signal }) {
        const now = clock.now();
        isFreeAt = Math.max(isFreeAt, now) + params.ms;
        return params.ms > 0 ? sleep(clock, isFreeAt - now, signal) : undefined;
      },
    };
  },
});
