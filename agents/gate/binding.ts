/** What a decision is bound to. */
import { digest, type Json } from "../../core/mod.ts";

/**
 * The binding of a call: SHA-256, as 64 hex digits, of its id, its tool and its arguments in canonical JSON. Whatever
 * differs in one of them, though it were a space in a text, is another call.
 *
 * @param tool `server.tool`.
 * @throws {TypeError} If the arguments are no JSON, or nested deeper than 200 levels.
 * @example
 * ```ts
 * import { bindingOf } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * const binding = bindingOf("run/call1", "refunds.issue_refund", { amount: 9000, order_id: "1" });
 * assert.equal(bindingOf("run/call1", "refunds.issue_refund", { order_id: "1", amount: 9000 }), binding);
 * assert.notEqual(bindingOf("run/call1", "refunds.issue_refund", { order_id: "1", amount: 9001 }), binding);
 * ```
 */
export function bindingOf(callId: string, tool: string, args: { readonly [key: string]: Json }): string {
  return digest({ call: callId, tool, args });
}
