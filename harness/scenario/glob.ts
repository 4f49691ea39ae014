/** Wildcards of the command line. */

/** Whether a text has wildcards in it. */
export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}

/**
 * Makes a test out of a glob: `*` is anything but a slash, `**` anything, `?` one character but a slash.
 *
 * @example
 * ```ts
 * import { glob } from "./glob.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(glob("*-policy*")("broken-policy-server"));
 * assert.ok(!glob("support*")("support/slow-policy"));
 * ```
 */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.replace(/\*+|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part === "*") return "[^/]*";
    if (part.startsWith("*")) return ".*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
  const regex = new RegExp(`^${source}$`, "su");
  return (text) => regex.test(text);
}
