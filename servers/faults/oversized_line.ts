import { z } from "zod";
import { encode, messageOf } from "./bytes.ts";
import { defineFault } from "./fault.ts";

const CHUNK = new Uint8Array(65_536).fill("x".charCodeAt(0));

/** A line of any length. It is made as it is sent, and nowhere held. */
export const oversizedLine = defineFault({
  id: "oversized_line",
  layer: "protocol",
  visibility: "explicit",
  summary: "The reply's line is longer than anybody should hold.",
  correct: "Stop holding it at a cap, fail the call, and go on with the next line; no other call notices.",
  outcome: "malformed_result",
  example: "- { fault: oversized_line, at: kb.search_kb, bytes: 52428800 }",
  params: z.strictObject({
    bytes: z.int().positive().default(17 * 1024 * 1024).describe("The length of its text, in bytes."),
  }),
  hooks: {
    *bytes(line, { params }) {
      const id = JSON.stringify(messageOf(line)?.id ?? null);
      yield encode(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
      for (let left = params.bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
      yield encode('"}]}}\n');
    },
  },
});
