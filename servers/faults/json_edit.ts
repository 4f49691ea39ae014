/** Changes to what a tool's result says, without knowing the tool. */
import type { Json } from "../../core/mod.ts";
import { type Fields, isFields, type Reply, type RpcRequest } from "../jsonrpc.ts";
import type { ReplyVerdict } from "./fault.ts";
import { isSuccess, replaceResult } from "./verdicts.ts";

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Changes a value, or gives `undefined` if there is nothing to change. */
export type Edit = (value: Json) => Json | undefined;

/** A parameter that names the field to change. */
export const FIELD_WORDS = "The name of the field; empty: the first that will do.";

/** Whether a JSON value is an object. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON of a text, if it is an object or a list. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON of a successful result: of its first text that is some. */
export function jsonOf(reply: Reply): Json | undefined {
  if (!isSuccess(reply)) return undefined;
  return blocksOf(reply.result).flatMap((block) => {
    const value = typeof block.text === "string" ? parseJson(block.text) : undefined;
    return value === undefined ? [] : [value];
  })[0];
}

/** Edits a successful result that is JSON, in its texts and its structured content alike. */
export function editResult(reply: Reply, edit: Edit): ReplyVerdict | undefined {
  if (!isSuccess(reply)) return undefined;
  let changed = false;
  const apply = (value: Json): Json => {
    const made = edit(value);
    if (made === undefined) return value;
    changed = true;
    return made;
  };
  const content = editTexts(reply.result, (text) => {
    const value = parseJson(text);
    return value === undefined ? text : JSON.stringify(apply(value));
  });
  const { structuredContent: structured } = reply.result;
  // Copied, so that it is known to be JSON.
  const edited = structured === undefined ? {} : { structuredContent: apply(JSON.parse(JSON.stringify(structured))) };
  return changed ? replaceResult(reply, { ...reply.result, content, ...edited }) : undefined;
}

/** The content of a result with other texts. */
export function editTexts(result: Fields, edit: (text: string) => string): unknown[] {
  return blocksOf(result).map((block) => typeof block.text === "string" ? { ...block, text: edit(block.text) } : block);
}

function blocksOf(result: Fields): Fields[] {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  return content.filter(isFields);
}

/** Changes the first value, depth first, for which `visit` has another. Members of lists have the list's key. */
export function editFirst(
  value: Json,
  visit: (key: string, value: Json) => Json | undefined,
  key = "",
): Json | undefined {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const made = visit(key, item) ?? editFirst(item, visit, key);
      if (made !== undefined) return value.with(i, made);
    }
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const made = visit(name, item) ?? editFirst(item, visit, name);
      if (made !== undefined) return { ...value, [name]: made };
    }
  }
  return undefined;
}

/** Changes every value, however deep, for which `visit` has another. */
export function editAll(value: Json, visit: (key: string, value: Json) => Json | undefined): Json | undefined {
  let changed = false;
  const walk = (key: string, item: Json): Json => {
    const made = visit(key, item);
    if (made !== undefined) {
      changed = true;
      return made;
    }
    if (Array.isArray(item)) return item.map((one) => walk(key, one));
    if (!isObject(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, one]) => [name, walk(name, one)]));
  };
  const made = walk("", value);
  return changed ? made : undefined;
}

/** Changes the first object for which `edit` has another: the value itself, or one inside. */
export function editObject(value: Json, edit: (object: JsonObject) => JsonObject | undefined): Json | undefined {
  const visit = (_key: string, item: Json) => isObject(item) ? edit(item) : undefined;
  return visit("", value) ?? editFirst(value, visit);
}

/** Whether a field is the one that is meant: the named one, or any if none is. */
export function isField(wanted: string, key: string): boolean {
  return wanted === "" || wanted === key;
}

/** The scalar arguments of a call, which a result may give back. */
export function argumentsOf(request: RpcRequest | undefined): ReadonlySet<unknown> {
  const args = request?.params?.arguments;
  return new Set(isFields(args) ? Object.values(args).filter((value) => typeof value !== "object") : []);
}

/** Another value of the same kind; `undefined` for one that is no scalar. */
export function otherThan(value: Json): Json | undefined {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return undefined;
  const digit = /\d(?=\D*$)/.exec(value);
  if (digit === null) return `not ${value}`;
  return value.slice(0, digit.index) + (Number(digit[0]) + 1) % 10 + value.slice(digit.index + 1);
}
