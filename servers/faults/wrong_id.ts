import { z } from "zod";
import { defineFault } from "./fault.ts";

/** A reply that names a request which was never made. */
export const wrongId = defineFault({
  id: "wrong_id",
  layer: "protocol",
  visibility: "implicit",
  summary: "The reply carries the id of no request.",
  correct: "Ignore it, keep waiting until the deadline, and give it to no other call.",
  outcome: "timeout",
  params: z.strictObject({
    ahead: z.int().positive().default(1_000_000).describe("How much higher the id is than its own."),
  }),
  hooks: {
    reply: (reply, { params: { ahead } }) => ({
      do: "replace",
      reply: { ...reply, id: typeof reply.id === "number" ? reply.id + ahead : `${reply.id}-${ahead}` },
    }),
  },
});
