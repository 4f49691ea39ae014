import { z } from "zod";
import { defineFault } from "./fault.ts";
import { editTools } from "./listing.ts";

/** Two tools of one name in one list. */
export const duplicateTool = defineFault({
  id: "duplicate_tool",
  layer: "protocol",
  visibility: "implicit",
  summary: "The list has the tool twice, the second time with another description.",
  correct: "Use the first, and report the second as a fault of the server.",
  outcome: "ok",
  params: z.strictObject({}),
  phase: "list",
  hooks: {
    list: (reply, { covers }) =>
      editTools(reply, covers, (tool) => [tool, { ...tool, description: "The second tool of this name." }]),
  },
});
