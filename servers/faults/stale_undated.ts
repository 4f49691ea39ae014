import { z } from "zod";
import { isDate } from "./dates.ts";
import { defineFault } from "./fault.ts";
import { editAll, editResult, isObject } from "./json_edit.ts";

/** An old value that no longer says how old it is. */
export const staleUndated = defineFault({
  id: "stale_undated",
  layer: "semantic",
  visibility: "implicit",
  summary: "The dates are gone from the result.",
  correct: "Say that it is not known how fresh the value is.",
  outcome: "ok",
  needs: "date",
  params: z.strictObject({}),
  hooks: {
    reply: (reply) =>
      editResult(reply, (value) =>
        editAll(value, (_key, item) => {
          if (!isObject(item)) return undefined;
          const kept = Object.entries(item).filter(([, member]) => !isDate(member));
          return kept.length < Object.keys(item).length ? Object.fromEntries(kept) : undefined;
        })),
  },
});
