import { z } from "zod";
import { canonicalJson } from "../../core/mod.ts";
import { defineFault } from "./fault.ts";
import { argumentsOf, type Edit, editFirst, editResult, isField, jsonOf, otherThan } from "./json_edit.ts";
import { addText } from "./verdicts.ts";

/** Two sources, both sure of themselves, that do not agree. */
export const contradiction = defineFault({
  id: "contradiction",
  layer: "semantic",
  visibility: "implicit",
  summary: "The same is said twice, and not the same: by a second block of the result, or when it is asked again.",
  correct: "Report both and where they come from; pick neither silently.",
  outcome: "ok",
  needs: "json_result",
  example: "- { fault: contradiction, at: orders, field: charge_count, by: later_call }",
  params: z.strictObject({
    by: z.enum(["block", "later_call"]).default("block").describe(
      "A second block in the same result, or the result of a call that was made before with the same arguments.",
    ),
    field: z.string().default("").describe("The name of the field; empty: the first that does not repeat an argument."),
  }),
  hooks: () => {
    const asked = new Set<string>();
    return {
      reply(reply, { params: { by, field }, request, tool }) {
        const echoes = argumentsOf(request);
        const change: Edit = (value) =>
          editFirst(value, (key, item) => isField(field, key) && !echoes.has(item) ? otherThan(item) : undefined);
        if (by === "block") {
          const json = jsonOf(reply);
          const other = json && change(json);
          return other === undefined ? undefined : addText(reply, JSON.stringify(other));
        }
        const call = `${tool} ${canonicalJson(request?.params?.arguments ?? {})}`;
        if (asked.has(call)) return editResult(reply, change);
        asked.add(call);
        return undefined;
      },
    };
  },
});
