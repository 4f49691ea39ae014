import { z } from "zod";
import { encodeLine } from "../../core/mod.ts";
import { messageOf } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";
import { textResult } from "./verdicts.ts";

/** A reply that comes more than once, and may change its mind. */
export const duplicateReply = defineFault({
  id: "duplicate_reply",
  layer: "protocol",
  visibility: "implicit",
  summary: "The reply comes twice: the same again, another result, or an error.",
  correct: "Use the first, ignore the rest, and give none of it to another call.",
  outcome: "ok",
  example: "- { fault: duplicate_reply, at: orders.find_order, second: error }",
  params: z.strictObject({
    second: z.enum(["same", "other", "error"]).default("same").describe("What comes the second time."),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    bytes(line, { params }) {
      const id = messageOf(line)?.id;
      const again = {
        same: () => line,
        other: () => encodeLine({ jsonrpc: "2.0", id, result: textResult("a second answer", false) }),
        error: () => encodeLine({ jsonrpc: "2.0", id, error: { code: -32603, message: "Internal error" } }),
      };
      return [line, again[params.second]()];
    },
  },
});
