import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";

/** A slow server: the reply is right, and late. Other calls on the same connection are not held up. */
export const latency = defineFault({
  id: "latency",
  layer: "transport",
  visibility: "implicit",
  summary: "The reply arrives later than it was sent.",
  correct:
    "Overlap the wait with other work. Below its deadline a slow call is a good call; above it, it has timed out.",
  outcome: "ok",
  lanes: { sim: true, wire: true },
  params: z.strictObject({
    ms: duration.default(1000).describe("The delay, in milliseconds."),
    jitter: duration.default(0).describe("The most that is added to the delay or taken from it, in milliseconds."),
  }),
  hooks: {
    reply(_reply, { params, clock, random, signal }) {
      const ms = params.ms + params.jitter * (2 * random.next() - 1);
      return ms > 0 ? sleep(clock, ms, signal) : undefined;
    },
  },
});
