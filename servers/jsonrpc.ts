/** The few shapes of JSON-RPC that stand between a hub and a server. Whatever else passes is not looked at. */

/** The name by which a reply finds its request. Never leaves the link: ids differ between lanes. */
export type RpcId = number | string;

/** Any request. */
export type RpcRequest = {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly method: string;
  readonly params?: Fields;
};

/** A `tools/call` on its way to a server. */
export type ToolCall = {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly method: "tools/call";
  readonly params: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
};

/** The protocol's own error, as opposed to a tool's. */
export type RpcError = {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
};

/** A reply that carries a result. */
export type ResultReply = {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly result: Readonly<Record<string, unknown>>;
};

/** A reply that carries an error. */
export type ErrorReply = {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly error: RpcError;
};

/** A reply on its way back to the hub. */
export type Reply = ResultReply | ErrorReply;

/** An object from JSON, not yet known to be anything more. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object that is not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is RpcId {
  return typeof value === "number" || typeof value === "string";
}

/** Whether a message is a well-formed request. */
export function isRequest(message: Fields): message is Fields & RpcRequest {
  return typeof message.method === "string" && isId(message.id) &&
    (message.params === undefined || isFields(message.params));
}

/** Whether a message is a well-formed `tools/call`. */
export function isToolCall(message: Fields): message is Fields & ToolCall {
  if (message.method !== "tools/call" || !isId(message.id)) return false;
  const params = message.params;
  if (!isFields(params) || typeof params.name !== "string") return false;
  return (params.arguments === undefined || isFields(params.arguments)) &&
    (params._meta === undefined || isFields(params._meta));
}

/** Whether a message is a well-formed reply. */
export function isReply(message: Fields): message is Fields & Reply {
  if (message.method !== undefined || !isId(message.id)) return false;
  if (isFields(message.result)) return true;
  const error = message.error;
  return isFields(error) && typeof error.code === "number" && typeof error.message === "string";
}

/** The id of the request that a `notifications/cancelled` calls off, or `undefined` if the message is none. */
export function cancelledId(message: Fields): RpcId | undefined {
  if (message.method !== "notifications/cancelled" || !isFields(message.params)) return undefined;
  const id = message.params.requestId;
  return isId(id) ? id : undefined;
}

/** The text of a tool result: its text blocks, one below the other. */
export function textOf(result: Fields): string {
  if (!Array.isArray(result.content)) return "";
  const blocks: readonly unknown[] = result.content;
  return blocks.flatMap((block) => isFields(block) && typeof block.text === "string" ? [block.text] : []).join("\n");
}
