import { z } from "zod";
import { defineFault } from "./fault.ts";
import { editTools } from "./listing.ts";

/** A tool whose schema cannot be used. One such entry costs the official client the whole list. */
export const badToolSchema = defineFault({
  id: "bad_tool_schema",
  layer: "protocol",
  visibility: "explicit",
  summary: "The tool's entry in the list has a schema that is none.",
  correct: "Leave out this tool and no other; whoever needs it fails, and the answer says so.",
  outcome: "tool_error",
  example: "- { fault: bad_tool_schema, at: orders.find_order, kind: missing }",
  params: z.strictObject({
    kind: z.enum(["missing", "not_an_object", "text"]).default("missing").describe(
      "What is wrong with its input schema.",
    ),
  }),
  phase: "list",
  hooks: {
    list: (reply, { params, covers }) =>
      editTools(reply, covers, ({ inputSchema: _, ...tool }) => {
        const made = {
          missing: {},
          not_an_object: { inputSchema: { type: "string" } },
          text: { inputSchema: "object" },
        };
        return [{ ...tool, ...made[params.kind] }];
      }),
  },
});
