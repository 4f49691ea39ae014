import { z } from "zod";
import { encode, messageOf } from "./bytes.ts";
import { defineFault } from "./fault.ts";
import { ON, onPhase } from "./on.ts";

/** JSON for people: the reply goes over many lines, and none of them is a message. */
export const prettyPrinted = defineFault({
  id: "pretty_printed",
  layer: "protocol",
  visibility: "explicit",
  summary: "The reply is spread over several lines.",
  correct: "Fail the call at once, if it can be told which; blame no other call for the lines.",
  outcome: "malformed_result",
  params: z.strictObject({ on: ON }),
  phase: onPhase,
  hooks: {
    bytes(line) {
      const message = messageOf(line);
      return message && [encode(`${JSON.stringify(message, null, 2)}\n`)];
    },
  },
});
