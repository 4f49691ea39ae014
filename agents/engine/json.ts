/**
 * Values that survive a trip through JSON unchanged.
 */
import { show } from "./target.ts";

/**
 * Writes a value as JSON that reads back as an equal value.
 *
 * @throws {TypeError} Where JSON would drop or change something: `undefined`, functions, bigints, `NaN`, `-0`, dates, maps,
 * class instances, cycles. The message names the place, such as `.items[3].when`.
 */
export function toExactJson(value: unknown): string {
  check(value, "", new Set());
  return JSON.stringify(value);
}

function check(value: unknown, at: string, above: Set<object>): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return;
  if (typeof value !== "object") {
    refuse(at, typeof value === "number" ? String(Object.is(value, -0) ? "-0" : value) : typeof value);
  }
  if (above.has(value)) refuse(at, "a cycle");
  above.add(value);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) check(item, `${at}[${index}]`, above);
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype) refuse(at, "an object that is not plain");
    if (Object.getOwnPropertySymbols(value).length > 0) refuse(at, "a symbol as a key");
    if ("toJSON" in value) refuse(at, "an object with toJSON");
    for (const [key, item] of Object.entries(value)) {
      check(item, /^\w+$/.test(key) ? `${at}.${key}` : `${at}[${show(key)}]`, above);
    }
  }
  above.delete(value);
}

function refuse(at: string, what: string): never {
  throw new TypeError(
    `${what}${
      at === "" ? "" : ` at ${at}`
    } would not survive JSON; allowed: null, booleans, finite numbers, strings, arrays, plain objects`,
  );
}
