import { z } from "zod";
import { isDate } from "./dates.ts";
import { defineFault } from "./fault.ts";
import { argumentsOf, editFirst, editResult, FIELD_WORDS, isField } from "./json_edit.ts";

const AMOUNT = /^([^\d-]*)(\d+(?:\.\d+)?)(\D*)$/;

/** A number in the wrong unit, cents for euros: it has the right type and is wrong by a factor. */
export const corruptValue = defineFault({
  id: "corrupt_value",
  layer: "semantic",
  visibility: "implicit",
  summary: "A number in the result is multiplied.",
  correct: "Check ranges and units, and compare with a second source where there is one.",
  outcome: "ok",
  needs: "number",
  example: "- { fault: corrupt_value, at: orders.find_order, field: total, factor: 0.01 }",
  params: z.strictObject({
    factor: z.number().default(100).describe("What it is multiplied by."),
    field: z.string().default("").describe(`${FIELD_WORDS} A number, or an amount such as "$129.00".`),
  }),
  hooks: {
    reply(reply, { params: { factor, field }, request }) {
      const asked = argumentsOf(request);
      return editResult(reply, (value) =>
        editFirst(value, (key, item) => {
          if (!isField(field, key) || asked.has(item)) return undefined;
          if (typeof item === "number") return item * factor === item ? undefined : item * factor;
          const [, before = "", digits = "", after = ""] = typeof item === "string" ? AMOUNT.exec(item) ?? [] : [];
          // A text of digits alone is an id.
          if (before + after === "" || isDate(item)) return undefined;
          return before + (Number(digits) * factor).toFixed(digits.split(".")[1]?.length ?? 0) + after;
        }));
    },
  },
});
