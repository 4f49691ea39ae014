import { z } from "zod";
import { bare } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** A reply whose newline is missing: nobody can say that it is whole, and the next line is glued to it. */
export const noNewline = defineFault({
  id: "no_newline",
  layer: "protocol",
  visibility: "implicit",
  summary: "The reply has no newline at its end.",
  correct: "Time out the call, and lose at most the one reply that is glued to it.",
  outcome: "timeout",
  example: "- { fault: no_newline, at: orders.find_order, when: { calls: [1] } }",
  params: z.strictObject({ on: ON }),
  phase: onPhase,
  hooks: { bytes: (line) => [bare(line)] },
});
