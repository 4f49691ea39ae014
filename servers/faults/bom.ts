import { z } from "zod";
import { concat } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON_ANY, onPhase } from "./on.ts";

/** A byte order mark, which an editor or a runtime has left there. */
export const bom = defineFault({
  id: "bom",
  layer: "protocol",
  visibility: "implicit",
  summary: "The reply begins with a byte order mark.",
  correct: "Leave the mark out (RFC 8259, section 8.1), and read on.",
  outcome: "ok",
  params: z.strictObject({ on: ON_ANY }),
  phase: onPhase,
  hooks: { bytes: (line) => [concat(Uint8Array.of(0xef, 0xbb, 0xbf), line)] },
});
