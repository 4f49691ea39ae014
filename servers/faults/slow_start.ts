import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";

/** A server that is slow to take a connection: it starts, or its queue is long. */
export const slowStart = defineFault({
  id: "slow_start",
  layer: "transport",
  visibility: "implicit",
  summary: "The connection comes about late.",
  correct: "Connect to all servers at once, under a deadline for each, and lose only the time of the slowest.",
  outcome: "ok",
  example: "- { fault: slow_start, at: orders, ms: 3s }",
  params: z.strictObject({
    ms: duration.default(3000).describe("How much later the connection comes about, in milliseconds."),
  }),
  hooks: { connect: ({ params, clock, signal }) => params.ms > 0 ? sleep(clock, params.ms, signal) : undefined },
});
