import { z } from "zod";
import { encodeLine } from "../../core/mod.ts";
import { messageOf } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { textResult } from "./verdicts.ts";

/** An answer to a question that has not been asked yet. */
export const unsolicitedReply = defineFault({
  id: "unsolicited_reply",
  layer: "protocol",
  visibility: "implicit",
  summary: "Before its reply comes one to a request that is still to be made.",
  correct: "Drop it when it comes; the later request gets its own answer.",
  outcome: "ok",
  params: z.strictObject({
    ahead: z.int().positive().default(1).describe("How much higher the id is than its own."),
  }),
  hooks: {
    bytes(line, { params }) {
      const id = messageOf(line)?.id;
      if (typeof id !== "number") return undefined;
      const early = { jsonrpc: "2.0", id: id + params.ahead, result: textResult("an answer to nothing", false) };
      return [encodeLine(early), line];
    },
  },
});
