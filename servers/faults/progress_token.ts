import { isFields, type RpcRequest } from "../jsonrpc.ts";

/** The token under which a request wants its progress; its id if it names none, as careless servers do. */
export function progressTokenOf(request: RpcRequest | undefined): unknown {
  const meta = request?.params?._meta;
  return (isFields(meta) ? meta.progressToken : undefined) ?? request?.id;
}
