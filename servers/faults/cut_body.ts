import { z } from "zod";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** Half a reply, and then nothing: the most harmful kind if it is taken for a short one. */
export const cutBody = defineFault({
  id: "cut_body",
  layer: "transport",
  visibility: "explicit",
  summary: "The reply breaks off after so many bytes, and the connection ends.",
  correct: "Treat it as a failure of the transport, never as a short result.",
  outcome: "server_down",
  example: "- { fault: cut_body, at: orders.find_order, bytes: 40 }",
  params: z.strictObject({
    bytes: z.int().nonnegative().default(40).describe("How many bytes of the reply arrive."),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    bytes: (line, { params }) => params.bytes < line.length ? [line.subarray(0, params.bytes), "hang_up"] : undefined,
  },
});
