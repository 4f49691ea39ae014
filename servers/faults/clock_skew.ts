import { z } from "zod";
import { isDate, shiftDate } from "./dates.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { editAll, editResult } from "./json_edit.ts";

/** A server whose clock is wrong: its dates are consistent, and lie in the future. */
export const clockSkew = defineFault({
  id: "clock_skew",
  layer: "concurrency",
  visibility: "implicit",
  summary: "The dates in the result are ahead of everybody else's.",
  correct: "Do not order events of different servers by their own clocks; say that a date lies in the future.",
  outcome: "ok",
  needs: "date",
  params: z.strictObject({
    by: duration.default(86_400_000).describe("How far ahead the clock is, in milliseconds."),
  }),
  hooks: {
    reply: (reply, { params }) =>
      editResult(
        reply,
        (value) => editAll(value, (_key, item) => isDate(item) ? shiftDate(item, params.by) : undefined),
      ),
  },
});
