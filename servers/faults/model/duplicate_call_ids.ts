import { z } from "zod";
import { defineFault } from "../fault.ts";
import { turned } from "./say.ts";

/** One id, two calls. Who runs both does the thing twice. */
export const duplicateCallIds = defineFault({
  id: "duplicate_call_ids",
  layer: "model_output",
  visibility: "implicit",
  summary: "The turn has the same call twice under one id, or its calls share one id.",
  correct: "One id is one call: run it once, and give each id exactly one result.",
  outcome: "ok",
  params: z.strictObject({}),
  hooks: {
    turn(reply) {
      const [first, ...rest] = reply.calls;
      if (first === undefined) return;
      const others = rest.length === 0 ? [first] : rest.map((call) => ({ ...call, id: first.id }));
      return turned(reply, { calls: [first, ...others] });
    },
  },
});
