import { z } from "zod";
import { defineFault } from "./fault.ts";

/** A connection that lives for so many bytes, wherever in a message they end: a proxy's limit, or a full disk. */
export const resetAfterBytes = defineFault({
  id: "reset_after_bytes",
  layer: "transport",
  visibility: "explicit",
  summary: "The connection ends after so many bytes from the server.",
  correct:
    "Throw half a message away, fail what was in flight at once, and never take what arrived for a short result.",
  outcome: "server_down",
  example: "- { fault: reset_after_bytes, at: kb, bytes: 2000 }",
  params: z.strictObject({
    bytes: z.int().positive().default(2000).describe("How many bytes arrive, counted over all replies."),
  }),
  phase: "stream",
  hooks: () => {
    let passed = 0;
    return {
      opened() {
        passed = 0;
      },
      bytes(line, { params }) {
        const left = params.bytes - passed;
        passed += line.length;
        return line.length < left ? undefined : [line.subarray(0, left), "hang_up"];
      },
    };
  },
});
