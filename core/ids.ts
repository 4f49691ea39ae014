/**
 * Ids from structure. A trace holds no random ids: a thing is called by where it stands, such as
 * `run/dispatch/billing/step1/call1`, so that two runs of the same input name the same things alike.
 */

/**
 * The id of a child: its parent's id, a slash, its own name. A slash or a percent sign in the name is escaped, so that
 * an untrusted name cannot pass for a deeper place.
 *
 * @example
 * ```ts
 * import { childId } from "./mod.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(childId("run", "a/b"), "run/a%2Fb");
 * ```
 */
export function childId(parent: string, name: string): string {
  return `${parent}/${name.replaceAll("%", "%25").replaceAll("/", "%2F")}`;
}

/** The parent's id, or `undefined` for the root. */
export function parentId(id: string): string | undefined {
  const slash = id.lastIndexOf("/");
  return slash < 0 ? undefined : id.slice(0, slash);
}
