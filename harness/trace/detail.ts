/**
 * Copies what an event says: so that later changes of the subject's objects cannot reach into the trace, so that it is
 * JSON whatever a subject hands over, and without secrets.
 */
import type { Json, Redactor } from "../../core/mod.ts";

/** What an event may say beyond its span; members that are `undefined` are left out. */
export interface Detail {
  readonly [key: string]: Json | undefined;
}

/** Levels of a detail; well below what canonical JSON can write. */
const MAX_DEPTH = 100;

/** Stops the quick way: something in the detail is not plain JSON data. */
const UNUSUAL = new Error("not plain data");
UNUSUAL.stack = "";

/**
 * A copy of a detail, as JSON. A subject of anybody's may hand over what JSON cannot carry, or nest it without end: that
 * is told, not thrown.
 */
export function copyDetail(detail: Detail, redactor: Redactor): { [key: string]: Json } {
  try {
    const copy = copyPlain(detail, redactor, MAX_DEPTH);
    if (isObject(copy)) return copy;
  } catch {
    // Told by the slow way.
  }
  return copyAnything(detail, redactor);
}

/** The quick way, for what nearly every detail is: plain objects, arrays and JSON's own values. */
function copyPlain(value: unknown, redactor: Redactor, levels: number): Json {
  switch (typeof value) {
    case "string":
      return redactor.text(value);
    case "number":
      if (!Number.isFinite(value)) throw UNUSUAL;
      return redactor.number(value);
    case "boolean":
      return value;
    case "object":
      break;
    default:
      throw UNUSUAL;
  }
  if (value === null) return null;
  if (levels === 0) throw UNUSUAL;
  if (Array.isArray(value)) return value.map((item) => copyPlain(item, redactor, levels - 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw UNUSUAL;
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const member: unknown = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    // Assigning to it would set the prototype; a function of this name would speak for the whole object.
    if (key === "__proto__" || key === "toJSON") throw UNUSUAL;
    copy[redactor.text(key)] = copyPlain(member, redactor, levels - 1);
  }
  return copy;
}

/** The slow way: through JSON, which settles what everything else is. */
function copyAnything(detail: unknown, redactor: Redactor): { [key: string]: Json } {
  try {
    const json = JSON.stringify(detail);
    const copy: Json = JSON.parse(json);
    if (!isObject(copy)) return unreadable("is not an object");
    if (isDeep(copy, MAX_DEPTH)) return unreadable(`is nested deeper than ${MAX_DEPTH} levels`);
    return redactor.value(copy, json);
  } catch (error) {
    return unreadable(`is not JSON (${error instanceof Error ? error.name : "it throws"})`);
  }
}

function unreadable(why: string): { [key: string]: Json } {
  return { unreadable: `the detail ${why}` };
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDeep(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeep(member, levels - 1));
}
