/** Names of tools as frameworks know them: letters, digits and `_` only, because one of them puts `_` for all else. */
import { HANDOFF, type ToolHub } from "../../agents/mod.ts";
import { safeName } from "../../agents/hub/mod.ts";

/** What frameworks call a tool that hands control over: this, and the agent's name. */
export const TRANSFER = "transfer_to_";

/** How all tools begin that move control. */
export const CONTROL = "transfer_";

/**
 * A tool's name for a framework. A handoff is called as frameworks call theirs.
 *
 * @example
 * ```ts
 * import { bridgeName } from "./names.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(bridgeName("orders.find_order"), "orders__find_order");
 * assert.equal(bridgeName("handoff.billing"), "transfer_to_billing");
 * ```
 */
export function bridgeName(name: string): string {
  return name.startsWith(HANDOFF) ? TRANSFER + name.slice(HANDOFF.length) : safeName(name).replaceAll("-", "_");
}

/**
 * The name that the bench knows a tool by. A name that no server has stays what it is.
 *
 * @param name Untrusted: a model may have made it up.
 */
export function realName(name: string, hub: Pick<ToolHub, "servers">): string {
  if (name.startsWith(TRANSFER)) return HANDOFF + name.slice(TRANSFER.length);
  // `transfer_back_to_supervisor` and its like are no servers' tools either.
  if (name.startsWith(CONTROL)) return HANDOFF + name.slice(CONTROL.length);
  const names = hub.servers().flatMap(({ tools }) => tools);
  return names.find((one) => bridgeName(one) === name) ?? name;
}
