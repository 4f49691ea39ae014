import { z } from "zod";
import { isDate, shiftDate } from "./dates.ts";
import { duration } from "./duration.ts";
import { defineFault } from "./fault.ts";
import { editAll, editResult, FIELD_WORDS, isField } from "./json_edit.ts";

const DAY = 86_400_000;

/** A result that was true once, and is served as if it were true now. Its date says so, to whoever reads it. */
export const stale = defineFault({
  id: "stale",
  layer: "semantic",
  visibility: "implicit",
  summary: "The dates in the result are old.",
  correct: "Compare them with the request, and say as of when the value is.",
  outcome: "ok",
  needs: "date",
  example: "- { fault: stale, at: policy.check_policy, field: effective, age: 525600m }",
  params: z.strictObject({
    age: duration.default(90 * DAY).describe("How much older the dates become, in milliseconds."),
    field: z.string().default("").describe(`${FIELD_WORDS} Empty: every date.`),
  }),
  hooks: {
    reply: (reply, { params: { age, field } }) =>
      editResult(
        reply,
        (value) =>
          editAll(value, (key, item) => isField(field, key) && isDate(item) ? shiftDate(item, -age) : undefined),
      ),
  },
});
