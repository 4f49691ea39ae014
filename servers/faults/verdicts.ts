/** Verdicts that many faults give. */
import type { Fields, Reply, ResultReply, RpcError, RpcId, RpcRequest } from "../jsonrpc.ts";
import type { ReplyVerdict, RequestVerdict } from "./fault.ts";

/** The message is lost. */
export const DROP = { do: "drop" } as const;

/**
 * The reply carries this tool result instead. The `_meta` of the server's own result stays: it belongs to the call, not
 * to what went wrong with it.
 */
export function replaceResult(reply: Reply, result: Fields): ReplyVerdict {
  const meta = "result" in reply && reply.result._meta !== undefined ? { _meta: reply.result._meta } : {};
  return { do: "replace", reply: { jsonrpc: "2.0", id: reply.id, result: { ...result, ...meta } } };
}

/** A tool result that is one text. */
export function textResult(text: string, isError: boolean): Fields {
  return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
}

/** The reply is an error of the protocol instead. */
export function replaceByError({ id }: Reply, error: RpcError): ReplyVerdict {
  return { do: "replace", reply: { jsonrpc: "2.0", id, error } };
}

/** The request is answered with an error of the protocol, and the server never sees it. */
export function answerError({ id }: RpcRequest, error: RpcError): RequestVerdict {
  return { do: "answer", reply: { jsonrpc: "2.0", id, error } };
}

/** The request is answered with this result, and the server never sees it. */
export function answerResult(id: RpcId, result: Fields): RequestVerdict {
  return { do: "answer", reply: { jsonrpc: "2.0", id, result } };
}

/** Whether a reply says that all is well. */
export function isSuccess(reply: Reply): reply is ResultReply {
  return "result" in reply && reply.result.isError !== true;
}

/** The result with one more text below its own; `undefined` if it is none, or an error. */
export function addText(reply: Reply, text: string): ReplyVerdict | undefined {
  if (!isSuccess(reply)) return undefined;
  const content: readonly unknown[] = Array.isArray(reply.result.content) ? reply.result.content : [];
  return replaceResult(reply, { ...reply.result, content: [...content, { type: "text", text }] });
}
