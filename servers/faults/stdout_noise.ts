import { z } from "zod";
import { encode } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** A server that prints where it must not: a banner, a log line, a warning of its runtime. Real ones do. */
export const stdoutNoise = defineFault({
  id: "stdout_noise",
  layer: "transport",
  visibility: "implicit",
  summary: "Lines that are no messages stand before or after a reply.",
  correct: "Skip them, keep them for the report, and lose no reply to them.",
  outcome: "ok",
  example: '- { fault: stdout_noise, at: orders, text: "Server running on stdio", on: initialize }',
  params: z.strictObject({
    text: z.string().regex(/^[^\n]*$/, "one line").default("[info] cache miss, asking the database").describe(
      "The line; it may be empty.",
    ),
    lines: z.int().positive().default(1).describe("How often it stands there."),
    place: z.enum(["before", "after"]).default("before").describe("Before the reply, or after it."),
    on: ON,
  }),
  phase: onPhase,
  hooks: {
    bytes(line, { params }) {
      const noise = encode(`${params.text}\n`.repeat(params.lines));
      return params.place === "before" ? [noise, line] : [line, noise];
    },
  },
});
