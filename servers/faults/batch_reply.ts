import { z } from "zod";
import { rewrite } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** Replies in a list, as JSON-RPC has it and MCP no longer does. */
export const batchReply = defineFault({
  id: "batch_reply",
  layer: "protocol",
  visibility: "implicit",
  summary: "The reply comes alone in a list.",
  correct: "Take each member of the list as the message that it is.",
  outcome: "ok",
  params: z.strictObject({ on: ON }),
  phase: onPhase,
  hooks: { bytes: (line) => rewrite(line, (reply) => [reply]) },
});
