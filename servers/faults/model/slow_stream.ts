import { z } from "zod";
import { defineFault } from "../fault.ts";
import { sleep } from "../../../core/mod.ts";
import { duration } from "../duration.ts";
import { rewired } from "./wire.ts";

/** The reply drips. Each piece is in time for an idle timeout, and the whole is not. */
export const slowStream = defineFault({
  id: "slow_stream",
  layer: "model_api",
  visibility: "implicit",
  summary: "Each piece of the reply comes late; without a stream, the whole of it.",
  correct: "Set a deadline for the whole reply and not only for its pauses.",
  outcome: "ok",
  params: z.strictObject({
    ms: duration.default(500).describe("The delay before each piece, in milliseconds."),
  }),
  hooks: {
    turn: (reply, { params, clock, signal }) =>
      sleep(clock, params.ms * Math.max(1, Math.ceil(reply.text.length / 16)), signal),
    wire: (reply, { params, clock, signal, fired }) => {
      async function* dripping() {
        for await (const chunk of reply.chunks) {
          fired();
          await sleep(clock, params.ms, signal);
          yield chunk;
        }
      }
      return rewired(reply, dripping());
    },
  },
});
