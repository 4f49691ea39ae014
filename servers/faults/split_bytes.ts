import { z } from "zod";
import { pieces } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON_ANY, onPhase } from "./on.ts";

/** Chunks that end anywhere: in the middle of a word, of a number, of a character. Streams have no other chunks. */
export const splitBytes = defineFault({
  id: "split_bytes",
  layer: "transport",
  visibility: "implicit",
  summary: "The line comes in chunks of a few bytes, so that characters of several bytes are cut.",
  correct: "Join the bytes before decoding them; the text is whole.",
  outcome: "ok",
  example: "- { fault: split_bytes, at: orders.find_order, size: 1 }",
  params: z.strictObject({
    size: z.int().positive().default(1).describe("The size of a chunk, in bytes."),
    on: ON_ANY,
  }),
  phase: onPhase,
  hooks: { bytes: (line, { params }) => line.length > params.size ? pieces(line, params.size, 0) : undefined },
});
