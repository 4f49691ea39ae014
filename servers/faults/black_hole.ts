import { z } from "zod";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";
import { DROP } from "./verdicts.ts";

/** The connection stands, the call is taken, and no answer ever comes. The server never sees the call. */
export const blackHole = defineFault({
  id: "black_hole",
  layer: "transport",
  visibility: "implicit",
  summary: "The request is swallowed and never answered.",
  correct: "Give the call a deadline, send notifications/cancelled when it passes, go on, and disclose the timeout.",
  outcome: "timeout",
  example: "- { fault: black_hole, at: kb.search_kb, when: { calls: [1] } }",
  params: z.strictObject({ on: ON }),
  phase: onPhase,
  hooks: { request: () => DROP },
});
