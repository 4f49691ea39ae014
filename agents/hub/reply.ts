/** What a frame from a server is, before the SDK sees it. Pure. */
import type { JSONRPCMessage } from "./sdk.ts";

/** An object of a server's, of which nothing is known yet. */
export type Frame = { readonly [key: string]: unknown };

/** Whether a value is an object and no list. */
export function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON-RPC 2.0 message that the SDK will accept (JSON-RPC 2.0 §4, §5, as MCP narrows it). */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isFrame(value) || value["jsonrpc"] !== "2.0") return false;
  const id = value["id"];
  const known = (keys: readonly string[]) => Object.keys(value).every((key) => keys.includes(key));
  const hasId = typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
  if (typeof value["method"] === "string") {
    const paramsFit = value["params"] === undefined || isFrame(value["params"]);
    return paramsFit && (id === undefined || hasId) && known(["jsonrpc", "id", "method", "params"]);
  }
  if (!hasId) return false;
  if ("result" in value) return isFrame(value["result"]) && known(["jsonrpc", "id", "result"]);
  const error = value["error"];
  return isFrame(error) && typeof error["message"] === "string" && Number.isInteger(error["code"]) &&
    known(["jsonrpc", "id", "error"]);
}

/**
 * Whether a frame that is no message was meant as a reply. A server's log lines, its requests and its notifications are
 * not: they must never cost a call that is still being answered.
 */
export function claimsReply(frame: Frame): boolean {
  const answers = "result" in frame || "error" in frame;
  if (typeof frame["method"] === "string" && !answers) return false;
  return "jsonrpc" in frame || ("id" in frame && answers);
}

/** The same for a line that is not JSON: garbage around a reply, or a reply with a flaw in it. */
export function soundsLikeReply(line: string): boolean {
  return /"(?:jsonrpc|result|error)"\s*:/.test(line);
}

/** A request id of ours as a server may give it back: a number, or the same in quotes. */
export function requestId(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/**
 * The id at the top level of a line that is not JSON, or `undefined` if it cannot be seen. An `id` deeper in is somebody
 * else's, so brackets are counted, from the first one on.
 */
export function idInLine(line: string): number | undefined {
  let depth = 0;
  for (const { 0: token, 1: id } of line.matchAll(/[{}[\]]|"id"\s*:\s*"?(\d{1,15})\b|"(?:[^"\\]|\\.)*"/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (id !== undefined && depth === 1) return Number(id);
  }
  return undefined;
}
