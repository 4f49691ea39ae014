import { z } from "zod";
import { bare, concat, encode } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** A log line that forgot its own newline, and a reply behind it. */
export const gluedGarbage = defineFault({
  id: "glued_garbage",
  layer: "protocol",
  visibility: "explicit",
  summary: "Something that is not JSON stands on the reply's own line.",
  correct: "Fail the call at once, by the id that can be seen; never wait for its deadline.",
  outcome: "malformed_result",
  example: '- { fault: glued_garbage, at: orders.find_order, text: "log: " }',
  params: z.strictObject({
    text: z.string().regex(/^[^\n]+$/, "part of one line").default("log: ").describe("What stands there."),
    place: z.enum(["before", "after"]).default("before").describe("Before the reply, or after it."),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    bytes(line, { params }) {
      const text = encode(params.text);
      const [first, second] = params.place === "before" ? [text, bare(line)] : [bare(line), text];
      return [concat(first, second, encode("\n"))];
    },
  },
});
