import { z } from "zod";
import { concat } from "./bytes.ts";
import { defineFault } from "./fault.ts";

/** Bytes that are no text, in the middle of a text. */
export const invalidUtf8 = defineFault({
  id: "invalid_utf8",
  layer: "protocol",
  visibility: "implicit",
  summary: "The result's text has bytes in it that are not UTF-8.",
  correct: "Put U+FFFD in their place, and go on; lose neither the reply nor the ones after it.",
  outcome: "ok",
  params: z.strictObject({
    bytes: z.int().positive().max(1024).default(2).describe("How many such bytes there are."),
  }),
  hooks: {
    bytes(line, { params }) {
      const at = new TextDecoder("latin1").decode(line).indexOf('"text":"') + '"text":"'.length;
      if (at < '"text":"'.length) return undefined;
      return [concat(line.subarray(0, at), new Uint8Array(params.bytes).fill(0xff), line.subarray(at))];
    },
  },
});
