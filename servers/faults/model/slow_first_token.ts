import { z } from "zod";
import { defineFault } from "../fault.ts";
import { sleep } from "../../../core/mod.ts";
import { duration } from "../duration.ts";
import { rewired } from "./wire.ts";

/** The model thinks long before it says anything. */
export const slowFirstToken = defineFault({
  id: "slow_first_token",
  layer: "model_api",
  visibility: "implicit",
  summary: "The reply begins late: over HTTP its headers come at once, and its first byte does not.",
  correct: "Overlap the wait with other work; below its deadline a slow call is a good call.",
  outcome: "ok",
  params: z.strictObject({
    ms: duration.default(5000).describe("The delay, in milliseconds."),
  }),
  hooks: {
    turn: (_reply, { params, clock, signal }) => sleep(clock, params.ms, signal),
    wire: (reply, { params, clock, signal, fired }) => {
      async function* late() {
        fired();
        await sleep(clock, params.ms, signal);
        yield* reply.chunks;
      }
      return rewired(reply, late());
    },
  },
});
