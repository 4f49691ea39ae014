import { z } from "zod";
import { defineFault } from "./fault.ts";
import { argumentsOf, type Edit, editFirst, isField, isObject, jsonOf, otherThan } from "./json_edit.ts";
import { isSuccess, replaceResult } from "./verdicts.ts";

/** A result that says one thing to programs and another to models. */
export const structuredConflict = defineFault({
  id: "structured_conflict",
  layer: "semantic",
  visibility: "implicit",
  summary: "The result's text and its structured content disagree.",
  correct: "Prefer the structured content, and report the conflict.",
  outcome: "ok",
  needs: "json_result",
  params: z.strictObject({
    field: z.string().default("").describe("The name of the field; empty: the first that does not repeat an argument."),
  }),
  hooks: {
    reply(reply, { params: { field }, request }) {
      if (!isSuccess(reply)) return undefined;
      const asked = argumentsOf(request);
      const change: Edit = (value) =>
        editFirst(value, (key, item) => isField(field, key) && !asked.has(item) ? otherThan(item) : undefined);
      const json = jsonOf(reply);
      const other = json && change(json);
      if (other === undefined) return undefined;
      // Where there is no structured content, it is what is added; where there is, the text is what is changed.
      if (reply.result.structuredContent === undefined) {
        return isObject(other) ? replaceResult(reply, { ...reply.result, structuredContent: other }) : undefined;
      }
      return replaceResult(reply, { ...reply.result, content: [{ type: "text", text: JSON.stringify(other) }] });
    },
  },
});
