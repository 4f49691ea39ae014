/** Verdicts that many faults give. */
import type { Reply } from "../jsonrpc.ts";
import type { ReplyVerdict } from "./fault.ts";

/** The message is lost. */
export const DROP = { do: "drop" } as const;

/**
 * The reply carries this tool result instead. The `_meta` of the server's own result stays: it belongs to the call, not
 * to what went wrong with it.
 */
export function replaceResult(reply: Reply, result: Readonly<Record<string, unknown>>): ReplyVerdict {
  const meta = "result" in reply && reply.result._meta !== undefined ? { _meta: reply.result._meta } : {};
  return { do: "replace", reply: { jsonrpc: "2.0", id: reply.id, result: { ...result, ...meta } } };
}

/** A tool result that is one text. */
export function textResult(text: string, isError: boolean): Readonly<Record<string, unknown>> {
  return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
}
