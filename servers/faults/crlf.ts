import { z } from "zod";
import { bare, concat, encode } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON_ANY, onPhase } from "./on.ts";

/** Lines that end as on Windows. */
export const crlf = defineFault({
  id: "crlf",
  layer: "protocol",
  visibility: "implicit",
  summary: "The line ends with a carriage return and a newline.",
  correct: "Take the carriage return for white space.",
  outcome: "ok",
  params: z.strictObject({ on: ON_ANY }),
  phase: onPhase,
  hooks: { bytes: (line) => [concat(bare(line), encode("\r\n"))] },
});
