import { z } from "zod";
import { isFields } from "../jsonrpc.ts";
import { defineFault } from "./fault.ts";
import { isSuccess, replaceResult } from "./verdicts.ts";

/** Structured content that breaks the schema which its own tool has promised. */
export const schemaViolation = defineFault({
  id: "schema_violation",
  layer: "result",
  visibility: "implicit",
  summary: "The structured content does not match the tool's output schema.",
  correct:
    "Check it against the schema, whether or not the tools were listed before, and fail the call with its own code.",
  outcome: "malformed_result",
  needs: "structured_content",
  example: "- { fault: schema_violation, at: quotes.get_quote, kind: missing }",
  params: z.strictObject({
    kind: z.enum(["retyped", "missing", "absent"]).default("retyped").describe(
      "A member of another type, a member that is missing, or no structured content at all.",
    ),
  }),
  hooks: {
    reply(reply, { params }) {
      if (!isSuccess(reply) || !isFields(reply.result.structuredContent)) return undefined;
      const { structuredContent, ...result } = reply.result;
      if (params.kind === "absent") return replaceResult(reply, result);
      const [[key, value] = [], ...others] = Object.entries(structuredContent);
      if (key === undefined) return undefined;
      const made = Object.fromEntries(params.kind === "missing" ? others : [[key, [value]], ...others]);
      return replaceResult(reply, { ...result, structuredContent: made });
    },
  },
});
