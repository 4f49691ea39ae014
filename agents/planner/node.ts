import type { Json } from "../../core/mod.ts";

/**
 * JSON as it was read from untrusted text. Objects are Maps, so that a key named `__proto__` or `constructor` is a key
 * like any other.
 */
export type JsonNode = null | boolean | number | string | JsonNode[] | JsonObject;

/** An object as it was read. */
export type JsonObject = Map<string, JsonNode>;

/** Whether two nodes say the same; the order of keys says nothing. Takes time in the smaller of the two. */
export function sameNode(a: JsonNode, b: JsonNode): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => {
      const other = b[i];
      return other !== undefined && sameNode(item, other);
    });
  }
  if (!(a instanceof Map) || !(b instanceof Map) || a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !sameNode(value, other)) return false;
  }
  return true;
}

/** Makes plain JSON of a node. Every key becomes an own property, whatever it is called. */
export function toJson(node: JsonNode): Json {
  if (Array.isArray(node)) return node.map(toJson);
  return node instanceof Map ? toRecord(node) : node;
}

/** {@linkcode toJson} for an object. */
export function toRecord(node: JsonObject): Record<string, Json> {
  const record: Record<string, Json> = {};
  for (const [key, value] of node) {
    // Plain assignment to `__proto__` would set the prototype instead of adding a key.
    Object.defineProperty(record, key, { value: toJson(value), enumerable: true, writable: true, configurable: true });
  }
  return record;
}
