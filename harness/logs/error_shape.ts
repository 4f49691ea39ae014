/**
 * Results that are JSON and hold an error, or nothing, in shapes that public APIs use beside those of `inBandError`: the
 * members of an error and no others, a code from 400 on, a status in capitals, a list that is empty.
 */
import { inBandError } from "../../agents/mod.ts";
import { isTroubleText } from "./error_text.ts";

/** What an object of JSON turns out to be. */
export type Shape = { readonly error: string } | { readonly nothing: true } | undefined;

/** A larger object is data, and not parsed for this. In UTF-16 units. */
const MAX_SHAPE = 4000;
/** Members that an error has, and hardly any datum has alone. */
const ERROR_KEYS =
  /^(?:error.*|errors|message|msg|errmsg|reason|detail|details|description|code|cod|errcode|status|status_?code|state|documentation_url|type|title|instance|path|timestamp|request_?id|trace_?id|hint|note|information|success|ok|result|results|data|routes|items|retry_?after|ec2|help|links?|more_info|cause|name|info|infocode|errno|ret|response|is_?success)$/i;
const MESSAGE_KEYS = /^(?:message|msg|errmsg|reason|detail|description|error.*|note|information|info|title|hint)$/i;
const CODE_KEYS = /^(?:code|cod|errcode|errno|ret|status|status_?code|state|type|result)$/i;
/** Statuses in capitals (Google's APIs) or small letters that are errors by their name. */
const BAD_STATUS =
  /(?:^|_)(?:denied|error|fail|failed|failure|exceeded|exhausted|expired|invalid|unauthori[sz]ed|unauthenticated|forbidden|unavailable|timeout|over_query_limit|not_?found|aborted|internal|request_denied|invalid_request|unknown_error)$/i;
const NO_STATUS = /^(?:zero_results|empty|no_results|none|not_found)$/i;

/** Reads an object; `undefined` for data, and for what is no JSON. */
export function shapeOf(text: string, tool: string): Shape {
  const bare = text.trim();
  if (/^(?:null|none|undefined|nan|n\/a|""|'')$/i.test(bare)) return { nothing: true };
  const value = bare.startsWith("{") && bare.length <= MAX_SHAPE ? parsed(bare) : undefined;
  if (isVerdict(value, tool)) return undefined;
  const shaped = inBandError(text);
  if (shaped !== undefined) return { error: shaped };
  if (value === undefined) return undefined;
  const members = Object.entries(value);
  const error = errorOf(members);
  if (error !== undefined) return { error };
  return isNothing(members) ? { nothing: true } : undefined;
}

/** A validator's list of errors is its answer. */
function isVerdict(value: object | undefined, tool: string): boolean {
  if (value === undefined) return false;
  return Object.keys(value).some((key) => /^(?:is_?)?valid$|^passed$/i.test(key)) ||
    /(?:^|[._-])(?:valid|lint|analy[sz]e|diagnos|compile|type_?check)/i.test(tool) &&
      Array.isArray(Reflect.get(value, "errors"));
}

function errorOf(members: readonly (readonly [string, unknown])[]): string | undefined {
  if (members.length === 0 || members.length > 10) return undefined;
  if (!members.every(([key, value]) => ERROR_KEYS.test(key.replace(/\s/g, "_")) && !isPayload(key, value))) {
    return undefined;
  }
  const messages = members.flatMap(([key, value]) =>
    typeof value === "string" && value.trim() !== "" && MESSAGE_KEYS.test(key.replace(/\s/g, "_")) ? [value] : []
  );
  const codes = members.filter(([key]) => CODE_KEYS.test(key)).map(([, value]) => value);
  const [said] = messages;
  const isUnsuccessful = members.some(([key, value]) =>
    /^(?:success|ok|is_?success)$/i.test(key) && /^false$/i.test(String(value))
  );
  if (isUnsuccessful) return said ?? "the result says it failed";
  if (codes.some(isBadCode)) return said ?? `status ${String(codes.find(isBadCode))}`;
  return messages.find((message) => isTroubleText(message) !== undefined);
}

function isBadCode(code: unknown): boolean {
  if (typeof code === "number") return (code >= 400 && code < 600) || code < 0;
  return typeof code === "string" && (/^[45]\d\d$/.test(code) || (BAD_STATUS.test(code) && !NO_STATUS.test(code)));
}

/** A member that holds something that was asked for: an error has none. */
function isPayload(key: string, value: unknown): boolean {
  if (typeof value !== "object" || value === null || /^(?:error|detail|cause|message)/i.test(key)) return false;
  return Object.keys(value).length > 0;
}

/** An object in which whatever could hold something is empty, and at least one list or value is there that does. */
function isNothing(members: readonly (readonly [string, unknown])[]): boolean {
  if (members.some(([key, value]) => COUNT.test(key) && value !== 0 && value !== null)) return false;
  const holds = members.filter(([key]) => !COUNT.test(key) && !ABOUT.test(key));
  return holds.length > 0 &&
    holds.every(([key, value]) =>
      value === null || (Array.isArray(value) && value.length === 0 && !/^(?:errors?|warnings?)$/i.test(key))
    );
}

const COUNT = /^(?:total.*|count|num.*|size|length|hits)$/i;
const ABOUT = /^(?:query|q|page|limit|offset|took|status|success|ok|has_?more|next.*)$/i;

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
