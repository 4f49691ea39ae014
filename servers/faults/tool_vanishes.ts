import { z } from "zod";
import { defineFault } from "./fault.ts";
import { editTools } from "./listing.ts";
import { answerError } from "./verdicts.ts";

/** A tool that is taken away while it is in use. */
export const toolVanishes = defineFault({
  id: "tool_vanishes",
  layer: "protocol",
  visibility: "explicit",
  summary: "The tool is no longer there: the list has changed, and its calls are answered with -32602, unknown tool.",
  correct: "List anew, plan without the tool, and do not call the old name again.",
  outcome: "tool_error",
  lasts: "permanent",
  example: "- { fault: tool_vanishes, at: orders.find_order, when: { from: 2s } }",
  params: z.strictObject({
    announced: z.boolean().default(true).describe("Whether the server says that its list has changed."),
  }),
  hooks: () => {
    const gone = new Set<string>();
    return {
      request(message, { params, tool = "", link }) {
        if (params.announced && !gone.has(tool)) link.notify("notifications/tools/list_changed");
        gone.add(tool);
        return answerError(message, { code: -32602, message: `Unknown tool: ${tool}` });
      },
      list: (reply) => editTools(reply, (name) => gone.has(name), () => []),
    };
  },
});
