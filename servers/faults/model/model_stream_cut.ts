import { z } from "zod";
import { defineFault } from "../fault.ts";
import { failed } from "./say.ts";
import { reset, rewired, upTo } from "./wire.ts";

/** The connection is gone in the middle of the reply. */
export const modelStreamCut = defineFault({
  id: "model_stream_cut",
  layer: "model_api",
  visibility: "explicit",
  summary: "The reply is cut off at a byte, by a reset or by a clean end.",
  correct: "Discard what came, retry within a bound, and never take the part for the whole.",
  outcome: "model_error",
  params: z.strictObject({
    byte: z.int().nonnegative().nullable().default(null).describe("After how many bytes; null to go by the fraction."),
    fraction: z.number().min(0).lt(1).default(0.5).describe("After what share of the body's bytes."),
    how: z.enum(["reset", "end"]).default("reset").describe("Whether the connection is reset, or the body just ends."),
  }),
  hooks: {
    turn: () =>
      failed({ status: 502, message: "the connection was cut in the middle of the reply", code: "model_error" }),
    wire: (reply, { params, fired }) =>
      rewired(
        reply,
        upTo(reply.chunks, params, () => {
          fired();
          if (params.how === "reset") reset();
        }),
      ),
  },
});
