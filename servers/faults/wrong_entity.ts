import { z } from "zod";
import { defineFault } from "./fault.ts";
import { argumentsOf, editFirst, editResult, otherThan } from "./json_edit.ts";

/** A good answer about something else. */
export const wrongEntity = defineFault({
  id: "wrong_entity",
  layer: "semantic",
  visibility: "implicit",
  summary: "The result is about another entity than was asked for: the id that it gives back is another.",
  correct: "Compare the id that comes back with the one that was asked for, and use nothing of the result.",
  outcome: "ok",
  needs: "echoed_argument",
  example: "- { fault: wrong_entity, at: orders.find_order }",
  params: z.strictObject({
    field: z.string().default("").describe(
      "The name of the field with the id; empty: the first that repeats an argument.",
    ),
  }),
  hooks: {
    reply(reply, { params: { field }, request }) {
      const asked = argumentsOf(request);
      return editResult(reply, (value) =>
        editFirst(value, (key, item) => {
          const isMeant = field === "" ? asked.has(item) : key === field;
          return isMeant ? otherThan(item) : undefined;
        }));
    },
  },
});
