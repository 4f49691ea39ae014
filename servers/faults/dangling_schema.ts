import { z } from "zod";
import { defineFault } from "./fault.ts";
import { editTools } from "./listing.ts";

/** A schema that has the right form and cannot be compiled. */
export const danglingSchema = defineFault({
  id: "dangling_schema",
  layer: "protocol",
  visibility: "implicit",
  summary: "The tool's schemas refer to what is not there.",
  correct: "Do not crash on it: offer the tool as it is, or leave it out alone; its calls still work.",
  outcome: "ok",
  params: z.strictObject({
    of: z.enum(["input", "output"]).default("output").describe("Which of its schemas."),
  }),
  phase: "list",
  hooks: {
    list: (reply, { params, covers }) => {
      const schema = { type: "object", properties: { value: { $ref: "#/$defs/nowhere" } } };
      return editTools(reply, covers, (tool) => [{ ...tool, [`${params.of}Schema`]: schema }]);
    },
  },
});
