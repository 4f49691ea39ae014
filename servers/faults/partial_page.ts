import { z } from "zod";
import { defineFault } from "./fault.ts";
import { editObject, editResult } from "./json_edit.ts";

/** The first page of many, taken for all there is. */
export const partialPage = defineFault({
  id: "partial_page",
  layer: "semantic",
  visibility: "implicit",
  summary: "A list in the result has only its first rows.",
  correct: "Compare with the total, fetch the rest, or say how much was seen.",
  outcome: "ok",
  needs: "list",
  example: "- { fault: partial_page, at: kb.search_kb, keep: 1, total: lowered }",
  params: z.strictObject({
    keep: z.int().nonnegative().default(1).describe("How many rows are left."),
    total: z.enum(["kept", "lowered"]).default("kept").describe(
      "Whether a total beside the list still says how many there are.",
    ),
  }),
  hooks: {
    reply: (reply, { params: { keep, total } }) =>
      editResult(reply, (value) => {
        if (Array.isArray(value)) return value.length > keep ? value.slice(0, keep) : undefined;
        return editObject(value, (object) => {
          const list = Object.entries(object).find(([, item]) => Array.isArray(item) && item.length > keep);
          if (list === undefined || !Array.isArray(list[1])) return undefined;
          const [name, rows] = [list[0], list[1]];
          const lowered = Object.entries(object).map(([key, item]) => [key, item === rows.length ? keep : item]);
          return { ...total === "lowered" ? Object.fromEntries(lowered) : object, [name]: rows.slice(0, keep) };
        });
      }),
  },
});
