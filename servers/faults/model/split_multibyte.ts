import { z } from "zod";
import { defineFault } from "../fault.ts";
import { sleep } from "../../../core/mod.ts";
import { duration } from "../duration.ts";
import { ENDPOINT_ONLY } from "./say.ts";
import { rewired } from "./wire.ts";

/** A character of several bytes is cut where two chunks meet. */
export const splitMultibyte = defineFault({
  id: "split_multibyte",
  layer: "model_api",
  visibility: "implicit",
  summary: "The body is cut into chunks inside of its characters, or at every byte.",
  correct: "Decode the stream as a stream: the text is whole.",
  outcome: "ok",
  lanes: ENDPOINT_ONLY,
  params: z.strictObject({
    where: z.enum(["multibyte", "every_byte"]).default("multibyte").describe("Where it is cut."),
    gap: duration.default(0).describe("The pause at each cut, in milliseconds."),
  }),
  hooks: {
    wire: (reply, { params, clock, signal, fired }) => {
      async function* split() {
        for await (const chunk of reply.chunks) {
          let start = 0;
          for (let at = 1; at < chunk.length; at++) {
            // 10xxxxxx: a byte inside of a character.
            const inside = ((chunk[at] ?? 0) & 0xc0) === 0x80;
            if (!inside && params.where === "multibyte") continue;
            fired();
            yield chunk.subarray(start, at);
            if (params.gap > 0) await sleep(clock, params.gap, signal);
            start = at;
          }
          yield chunk.subarray(start);
        }
      }
      return rewired(reply, split());
    },
  },
});
