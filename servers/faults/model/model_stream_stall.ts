import { z } from "zod";
import { defineFault } from "../fault.ts";
import { LOST } from "./say.ts";
import { rewired, untilGone, upTo } from "./wire.ts";

/** The reply stops in the middle, and the connection stays. */
export const modelStreamStall = defineFault({
  id: "model_stream_stall",
  layer: "model_api",
  visibility: "implicit",
  summary: "The reply stalls at a byte and never goes on.",
  correct: "Time out on silence, discard what came, and disclose the timeout if a retry does not help.",
  outcome: "timeout",
  params: z.strictObject({
    byte: z.int().nonnegative().nullable().default(null).describe("After how many bytes; null to go by the fraction."),
    fraction: z.number().min(0).lt(1).default(0.5).describe("After what share of the body's bytes."),
  }),
  hooks: {
    turn: () => LOST,
    wire: (reply, { params, fired, signal }) =>
      rewired(
        reply,
        upTo(reply.chunks, params, () => {
          fired();
          return untilGone(signal);
        }),
      ),
  },
});
