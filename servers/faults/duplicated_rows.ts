import { z } from "zod";
import { defineFault } from "./fault.ts";
import { type Edit, editFirst, editResult } from "./json_edit.ts";

/** Rows that come twice, as after a retried insert or a careless join. */
export const duplicatedRows = defineFault({
  id: "duplicated_rows",
  layer: "semantic",
  visibility: "implicit",
  summary: "Each row of a list in the result is there twice.",
  correct: "Count entities and not rows.",
  outcome: "ok",
  needs: "list",
  params: z.strictObject({}),
  hooks: {
    reply(reply) {
      const twice: Edit = (value) =>
        Array.isArray(value) && value.length > 0 ? value.flatMap((row) => [row, row]) : undefined;
      return editResult(reply, (value) => twice(value) ?? editFirst(value, (_key, item) => twice(item)));
    },
  },
});
