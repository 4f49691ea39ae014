import { z } from "zod";
import { defineFault } from "./fault.ts";
import { toolsOf, withTools } from "./listing.ts";

/** A server that is up, and has nothing to offer today. */
export const emptyList = defineFault({
  id: "empty_list",
  layer: "protocol",
  visibility: "implicit",
  summary: "The list of tools is empty.",
  correct: "Tell it from a server without tools of interest: whoever needs one of them fails, and the answer says so.",
  outcome: "tool_error",
  params: z.strictObject({}),
  applies: ["server"],
  phase: "list",
  hooks: { list: (reply) => toolsOf(reply).length > 0 ? withTools(reply, []) : undefined },
});
