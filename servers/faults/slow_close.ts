import { z } from "zod";
import { sleep } from "../../core/mod.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";

/** A server that takes its time to go. */
export const slowClose = defineFault({
  id: "slow_close",
  layer: "transport",
  visibility: "implicit",
  summary: "Closing the connection takes long.",
  correct: "Give the answer without waiting for it, and close all servers at once.",
  outcome: "ok",
  example: "- { fault: slow_close, at: orders, ms: 5s }",
  params: z.strictObject({
    ms: duration.default(5000).describe("How long closing takes, in milliseconds."),
  }),
  hooks: { close: ({ params, clock, signal }) => params.ms > 0 ? sleep(clock, params.ms, signal) : undefined },
});
