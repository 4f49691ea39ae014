import { z } from "zod";
import { rewrite } from "./bytes.ts";
import { defineFault } from "./fault.ts";

/** A reply that names nothing. */
export const missingId = defineFault({
  id: "missing_id",
  layer: "protocol",
  visibility: "explicit",
  summary: "The reply has no id that could be one.",
  correct: "Fail the call at once if only one is in flight; with several, blame none of them.",
  outcome: "malformed_result",
  example: "- { fault: missing_id, at: orders.find_order, as: fraction }",
  params: z.strictObject({
    as: z.enum(["missing", "null", "fraction", "object"]).default("missing").describe("What stands in its place."),
  }),
  hooks: {
    bytes: (line, { params }) =>
      rewrite(line, ({ id, ...reply }) => {
        const made = { missing: {}, null: { id: null }, fraction: { id: 0.5 }, object: { id: { was: id } } };
        return { ...reply, ...made[params.as] };
      }),
  },
});
