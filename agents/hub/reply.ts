/** What a frame from a server is, before the SDK sees it. Pure. */
import { REASON } from "./http_reason.ts";
import type { JSONRPCMessage } from "./sdk.ts";

/** An object of a server's, of which nothing is known yet. */
export type Frame = { readonly [key: string]: unknown };

/** Whether a value is an object and no list. */
export function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The value in a line: one of them, or several where the newline between two messages was lost. Those are not messages
 * (MCP, stdio: delimited by newlines), but they tell whose replies are lost. `undefined` if anything is left over that is
 * not JSON.
 */
export function parseLine(line: string): [value: unknown, ...glued: unknown[]] | undefined {
  try {
    return [JSON.parse(line)];
  } catch {
    const [first, ...others] = piecesOf(line.trim()) ?? [];
    try {
      return first === undefined
        ? undefined
        : [JSON.parse(first), ...others.map((piece): unknown => JSON.parse(piece))];
    } catch {
      return undefined;
    }
  }
}

/** A line that is objects and nothing else, cut where one ends and the next begins. */
function piecesOf(line: string): string[] | undefined {
  if (!line.startsWith("{") || !line.endsWith("}") || !/\}\s*\{/.test(line)) return undefined;
  const pieces: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: token, index } of line.matchAll(/[{}]|"[^"\\]*(?:\\.[^"\\]*)*"/gs)) {
    if (token === "{") depth++;
    else if (token === "}" && --depth === 0) {
      pieces.push(line.slice(from, index + 1));
      from = index + 1;
    }
  }
  return from === line.length ? pieces : undefined;
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

/**
 * The same for a line that is not JSON. A flawed reply shows members of JSON-RPC, in quotes of either kind, and no method
 * of its own. Two lines more stand where a reply should: the first one of a page of HTML, and one that is the name of an
 * HTTP failure and nothing else. Both come from something between us and the server that speaks HTTP.
 *
 * What it costs: a server that prints such a page or such a name to its stdout, and answers all the same, loses the call
 * that waits, if that is the only one. Everything else that is printed, banners, logs and other prose, costs nothing, and
 * a reply that was lost for it is waited for to the end.
 */
export function soundsLikeReply(line: string): boolean {
  const text = inDoubleQuotes(line);
  if (/"(?:jsonrpc|result|error)"\s*:/.test(text)) return !membersOf(text).hasMethod;
  return /^\s*<(?:!doctype html|html)\b/i.test(line) || STATUS_LINE.test(line);
}

const STATUS_LINE = new RegExp(`^\\s*(?:HTTP/[\\d.]+ )?(?:[45]\\d\\d[ :-]*)?(?:${REASON})\\.?\\s*$`, "i");

/** A line with JSON-RPC in single quotes, as some languages print their objects, in double ones. */
function inDoubleQuotes(line: string): string {
  return /'jsonrpc'\s*:/.test(line) ? line.replaceAll("'", '"') : line;
}

/** A request id of ours as a server may give it back: a number, or the same in quotes. */
export function requestId(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/**
 * The id at the top level of a line that is not JSON, or `undefined` if it cannot be seen. An `id` deeper in is somebody
 * else's.
 */
export function idInLine(line: string): number | undefined {
  return membersOf(inDoubleQuotes(line)).id;
}

/** How far into a broken line is looked, in characters: it is read when it has already gone wrong. */
const MAX_SCANNED = 1_000_000;

/** What can be seen of the top level of a line. Brackets are counted, from the first one on. */
function membersOf(line: string): { id: number | undefined; hasMethod: boolean } {
  let depth = 0;
  let id: number | undefined;
  let hasMethod = false;
  const tokens = /[{}[\]]|"id"\s*:\s*"?(\d{1,15})\b|"(method)"\s*:|"[^"\\]*(?:\\.[^"\\]*)*"/gs;
  for (const { 0: token, 1: number, 2: method } of line.slice(0, MAX_SCANNED).matchAll(tokens)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth !== 1) continue;
    else if (number !== undefined) id ??= Number(number);
    else if (method !== undefined) hasMethod = true;
    // What comes after it is another's.
    if (depth === 0 && token === "}" && (id !== undefined || hasMethod)) break;
  }
  return { id, hasMethod };
}
