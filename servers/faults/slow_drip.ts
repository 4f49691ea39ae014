import { z } from "zod";
import { pieces } from "./bytes.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { ON_ANY, onPhase } from "./on.ts";

/** A connection as thin as a thread (slow loris): bytes come all the time, and the message is not there yet. */
export const slowDrip = defineFault({
  id: "slow_drip",
  layer: "transport",
  visibility: "implicit",
  summary: "The bytes come a few at a time, with a pause after each few.",
  correct: "Have a deadline for the whole call, not only for the time without a byte, and overlap other work.",
  outcome: "ok",
  example: "- { fault: slow_drip, at: kb.search_kb, size: 16, pause: 100ms }",
  params: z.strictObject({
    size: z.int().positive().default(16).describe("How many bytes come at once."),
    pause: duration.default(100).describe("The pause before the next, in milliseconds."),
    on: ON_ANY,
  }),
  phase: onPhase,
  hooks: { bytes: (line, { params }) => pieces(line, params.size, params.pause) },
});
