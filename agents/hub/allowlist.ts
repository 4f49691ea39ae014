/** The allowlist: which tools exist for a worker. */

/**
 * Whether an allowlist lets a tool in. An entry names a server (`orders`, or `orders.`) or a tool (`orders.find_order`)
 * and matches by whole dot-separated parts, so that `orders` never lets `orders2.find` in. An empty list lets nothing in.
 *
 * @example
 * ```ts
 * import { isAllowed } from "./allowlist.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(isAllowed("orders.find_order", ["orders."]));
 * assert.ok(!isAllowed("orders2.find_order", ["orders."]));
 * ```
 */
export function isAllowed(tool: string, allow: readonly string[]): boolean {
  return allow.some((entry) => {
    const whole = entry.endsWith(".") ? entry.slice(0, -1) : entry;
    return whole !== "" && (tool === whole || tool.startsWith(`${whole}.`));
  });
}

/** The server part of an allowlist entry. */
export function serverOf(entry: string): string {
  const dot = entry.indexOf(".");
  return dot < 0 ? entry : entry.slice(0, dot);
}
