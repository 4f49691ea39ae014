import { z } from "zod";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** A server that keeps ids as text. */
export const stringId = defineFault({
  id: "string_id",
  layer: "protocol",
  visibility: "implicit",
  summary: "The reply's id is the right number, as text.",
  correct: "Take it for the number, as the official client does.",
  outcome: "ok",
  params: z.strictObject({ on: ON }),
  phase: onPhase,
  hooks: { reply: (reply) => ({ do: "replace", reply: { ...reply, id: String(reply.id) } }) },
});
