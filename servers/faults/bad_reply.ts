import { z } from "zod";
import { rewrite } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** JSON that stands where a reply should and is none. The official client drops most of these, and its caller waits. */
export const badReply = defineFault({
  id: "bad_reply",
  layer: "protocol",
  visibility: "explicit",
  summary: "The reply is JSON, and breaks the rules of JSON-RPC.",
  correct: "Fail the call at once, by the id that it carries; never wait for its deadline.",
  outcome: "malformed_result",
  example: "- { fault: bad_reply, at: orders.find_order, shape: result_and_error }",
  params: z.strictObject({
    shape: z.enum([
      "result_and_error",
      "neither",
      "extra_member",
      "result_null",
      "result_list",
      "result_text",
      "error_without_message",
      "error_code_text",
      "error_text",
      "jsonrpc_1",
      "no_jsonrpc",
    ]).default("result_and_error").describe("Which rule it breaks."),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    bytes: (line, { params }) =>
      rewrite(line, (reply) => {
        const [{ id, result }, jsonrpc] = [reply, "2.0"];
        const made = {
          result_and_error: { ...reply, result: result ?? {}, error: { code: -32603, message: "Internal error" } },
          neither: { jsonrpc, id },
          extra_member: { ...reply, trace: "8f3a" },
          result_null: { jsonrpc, id, result: null },
          result_list: { jsonrpc, id, result: [result ?? null] },
          result_text: { jsonrpc, id, result: "ok" },
          error_without_message: { jsonrpc, id, error: { code: -32603 } },
          error_code_text: { jsonrpc, id, error: { code: "E_INTERNAL", message: "Internal error" } },
          error_text: { jsonrpc, id, error: "Internal error" },
          jsonrpc_1: { ...reply, jsonrpc: "1.0" },
          no_jsonrpc: { id, result },
        };
        return made[params.shape];
      }),
  },
});
