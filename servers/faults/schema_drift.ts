import { z } from "zod";
import { defineFault } from "./fault.ts";
import { argumentsOf, type Edit, editObject, editResult } from "./json_edit.ts";

/** A field that has changed its name or its type since somebody read the documentation. */
export const schemaDrift = defineFault({
  id: "schema_drift",
  layer: "semantic",
  visibility: "implicit",
  summary:
    "A field of the result has another name or another type, or is gone. The tool has no schema that forbids it.",
  correct: "Check for the fields that are needed, and fail loudly; put no guess in their place.",
  outcome: "ok",
  needs: "unpromised_json",
  example: "- { fault: schema_drift, at: orders.find_order, field: charge_count, kind: dropped }",
  params: z.strictObject({
    kind: z.enum(["renamed", "retyped", "nulled", "dropped"]).default("renamed").describe("What has become of it."),
    field: z.string().default("").describe("The name of the field; empty: the first that does not repeat an argument."),
  }),
  hooks: {
    reply(reply, { params: { kind, field }, request }) {
      // With structured content there is a schema: that is `schema_violation`.
      if ("result" in reply && reply.result.structuredContent !== undefined) return undefined;
      const asked = argumentsOf(request);
      const edit: Edit = (value) =>
        editObject(value, (object) => {
          const at = Object.entries(object).findIndex(([key, item]) => field === "" ? !asked.has(item) : key === field);
          const [key, item] = Object.entries(object)[at] ?? [];
          if (key === undefined || item === undefined) return undefined;
          const other = key.includes("_")
            ? key.replace(/_+(.)/g, (_, first) => String(first).toUpperCase())
            : `${key}_v2`;
          const made = { renamed: [[other, item]], retyped: [[key, [item]]], nulled: [[key, null]], dropped: [] };
          return Object.fromEntries(Object.entries(object).flatMap((entry, i) => i === at ? made[kind] : [entry]));
        });
      return editResult(reply, edit);
    },
  },
});
