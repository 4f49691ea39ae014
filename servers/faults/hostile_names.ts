import { z } from "zod";
import { defineFault } from "./fault.ts";
import { toolsOf, withTools } from "./listing.ts";
import { isSuccess } from "./verdicts.ts";

const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "\u001b[2J\u001b]0;owned\u0007",
  "find_\u202eredro",
  "find_order\u200b",
  "../../etc/passwd",
  "a.b.c",
  "<img src=x onerror=alert(1)>",
];

/** Tools whose names are the attack. */
export const hostileNames = defineFault({
  id: "hostile_names",
  layer: "security",
  visibility: "implicit",
  summary:
    "The list has more tools, whose names are prototype keys, escapes, turned text, paths, markup, or very long.",
  correct: "Look names up in a map, print them so that they can be read, and leave out what cannot be a name.",
  outcome: "ok",
  params: z.strictObject({
    longest: z.int().positive().max(4_000_000).default(1_000_000).describe("The length of the longest, in letters."),
  }),
  applies: ["server"],
  phase: "list",
  hooks: {
    list(reply, { params }) {
      const names = [...NAMES, "x".repeat(params.longest)];
      const more = names.map((name) => ({ name, description: "A tool.", inputSchema: { type: "object" } }));
      return isSuccess(reply) ? withTools(reply, [...toolsOf(reply), ...more]) : undefined;
    },
  },
});
